// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "clos/structure.h"

namespace flitcast::clos {

/// Sizes that a search can hold. Larger networks have more states than any memory.
inline constexpr std::uint32_t kMostSearchInputs = 20;   ///< n1 r1.
inline constexpr std::uint32_t kMostSearchOutputs = 20;  ///< n2 r2.
inline constexpr std::uint32_t kMostSearchOutputSwitches = 8;
inline constexpr std::uint32_t kMostSearchMiddles = 15;

/// Throws std::invalid_argument with every reason why the network is too large for a search, or
/// cannot be built at all.
void require_searchable(const Structure& structure);

/// Sets of output switches and of middle switches: bit k is switch k.
using SwitchMask = std::uint32_t;

/// A route at switch level: the four bits 4k .. 4k+3 are 1 + the middle switch that serves output
/// switch k, or 0 if the connection does not go there. 0 as a whole is an idle input.
using RouteWord = std::uint32_t;

/// 1 + the middle switch of a route that serves output switch k, or 0.
inline std::uint32_t leg_to(RouteWord route, std::uint32_t k) { return route >> 4 * k & 15; }
/// A route of one leg.
inline RouteWord leg_word(std::uint32_t middle, std::uint32_t k) { return (middle + 1) << 4 * k; }
/// A route that does not go to output switch k any more.
inline RouteWord without_leg(RouteWord route, std::uint32_t k) {
  return route & ~(RouteWord{15} << 4 * k);
}

/// Calls visit(middle, k) for the links B(middle, k) of a route, k rising.
template <class Visit>
void for_each_link(RouteWord route, Visit&& visit) {
  for (std::uint32_t k = 0; route != 0; ++k, route >>= 4) {
    if ((route & 15) != 0) visit((route & 15) - 1, k);
  }
}

/// The members of a mask, rising.
template <class Visit>
void for_each_member(SwitchMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

/// All routes of a network: that of port t of input switch i is number i n1 + t.
///
/// Output ports do not appear: a search lets a connection take one port of each output switch.
/// Derived: a second port of the same output switch takes no link and only makes the network
/// fuller, so whoever wants to block can do without it, also where members leave.
using Configuration = std::array<RouteWord, kMostSearchInputs>;

/// What the routes of a configuration leave free.
struct LinkUse {
  LinkUse(const Configuration& routes, const Structure& structure);

  std::array<SwitchMask, kMostSearchMiddles> busy{};      ///< M_j, of each middle switch.
  std::array<SwitchMask, kMostSearchInputs> available{};  ///< Of each input switch.
  SwitchMask open_outputs = 0;  ///< Output switches that have an idle port.
};

/// Keeps configurations in as few bits as is simple: for each port of each output switch the number
/// 1 + (input, middle switch) of its link, or 0 if it is idle. v(6, 3, 3) takes 54 bits.
class Packing {
 public:
  explicit Packing(const Structure& structure);

  /// Words of 64 bits that a configuration takes.
  std::size_t words() const { return words_; }
  /// Fills words() words; equal configurations get equal words, others others.
  void pack(const Configuration& routes, std::uint64_t* words) const;
  Configuration unpack(const std::uint64_t* words) const;

 private:
  Structure structure_;
  std::uint32_t bits_;  ///< Of a port.
  std::size_t words_;
};

// What can happen to a configuration. A request takes the first idle port of its input switch; two
// input switches with equal routes ask for the same, and so do equal routes of a switch, so that
// of neighbours that are equal only the first counts.

/// Calls visit(input, wanted) for the requests of every input switch with an idle port for every
/// set of output switches with an idle port, until one returns false. Returns whether none did.
template <class Visit>
bool for_each_request(const Configuration& routes, const LinkUse& links, const Structure& structure,
                      Visit&& visit) {
  const std::uint32_t n = structure.n1;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    const RouteWord* const ports = &routes[i * n];
    if (i > 0 && std::equal(ports, ports + n, ports - n)) continue;
    const auto idle = static_cast<std::uint32_t>(std::find(ports, ports + n, 0U) - ports);
    if (idle == n) continue;
    SwitchMask wanted = 0;
    while ((wanted = (wanted - links.open_outputs) & links.open_outputs) != 0) {
      if (!visit(i * n + idle, wanted)) return false;
    }
  }
  return true;
}

/// Calls visit(input) for the live connections.
template <class Visit>
bool for_each_disconnect(const Configuration& routes, const Structure& structure, Visit&& visit) {
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    if (routes[p] == 0 || (p % structure.n1 > 0 && routes[p] == routes[p - 1])) continue;
    if (!visit(p)) return false;
  }
  return true;
}

/// Calls visit(input, k) for the members of live connections, except where they are the last.
template <class Visit>
bool for_each_leave(const Configuration& routes, const Structure& structure, Visit&& visit) {
  return for_each_disconnect(routes, structure, [&](std::uint32_t input) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      const RouteWord rest = without_leg(routes[input], k);
      if (rest == 0 || rest == routes[input]) continue;
      if (!visit(input, k)) return false;
    }
    return true;
  });
}

/// What a search may use up. Reaching a limit ends it without a verdict.
struct SearchLimits {
  std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_bytes = std::uint64_t{8} << 30;
  /// Asked every few milliseconds; true ends the search. None: never.
  std::function<bool()> stop{};
};

/// States that a search looks at before it asks again.
inline constexpr std::uint32_t kStatesBetweenStops = 256;

/// How a search ended.
enum class SearchOutcome {
  kBlocks,       ///< Some reachable state blocks some valid request.
  kNeverBlocks,  ///< None does.
  kNoVerdict,    ///< A limit was reached.
};

/// What can be renamed without changing what will ever happen. Ports of a switch and input switches
/// always can, since no strategy sees them.
enum class Symmetry {
  kInputs,   ///< Nothing else.
  kOutputs,  ///< Output switches too: a strategy that goes by sizes of sets. Middle switches are
             ///< not alike where their index breaks ties.
  kMiddles,  ///< Middle switches too: whoever may choose any legal route.
};

/// One representative of all configurations that differ in names only.
///
/// Switches get colours that do not depend on names. The colours fix the order of switches except
/// where several have the same; all orders of these are tried, inputs sorted in each, and the
/// largest result is the representative. Unused switches need no order.
/// Time: O(n1 r1 r2) times the orders tried, mostly 1 or 2, at worst r2! (and m! for kMiddles).
class CanonicalForm {
 public:
  CanonicalForm(const Structure& structure, Symmetry symmetry)
      : structure_(structure), symmetry_(symmetry) {}

  Configuration of(const Configuration& routes) const;

 private:
  /// Descending within input switches, and these descending.
  void sort_inputs(Configuration& routes) const;

  Structure structure_;
  Symmetry symmetry_;
};

}  // namespace flitcast::clos
