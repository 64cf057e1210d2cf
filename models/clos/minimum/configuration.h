// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Sizes that a search can hold. Larger networks have more states than any memory.
inline constexpr std::uint32_t kMostSearchInputs = 20;   ///< n1 r1.
inline constexpr std::uint32_t kMostSearchOutputs = 20;  ///< n2 r2.
inline constexpr std::uint32_t kMostSearchOutputSwitches = 8;
inline constexpr std::uint32_t kMostSearchMiddles = 15;

/// Throws std::invalid_argument with every reason why the network is too large for a search or
/// cannot be built.
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
/// The route without output switch k.
inline RouteWord without_leg(RouteWord route, std::uint32_t k) {
  return route & ~(RouteWord{15} << 4 * k);
}

/// Calls visit(middle, k) for the links B(middle, k) of a route, in ascending order of k.
template <class Visit>
void for_each_link(RouteWord route, Visit&& visit) {
  for (std::uint32_t k = 0; route != 0; ++k, route >>= 4) {
    if ((route & 15) != 0) visit((route & 15) - 1, k);
  }
}

/// The members of a mask in ascending order.
template <class Visit>
void for_each_member(SwitchMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

/// All routes of a network; that of port t of input switch i is number i n1 + t.
///
/// Output ports do not appear: a search lets a connection take one port of each output switch.
/// Derived: a second port of the same output switch takes no link and only fills the network, so an
/// adversary gains nothing from it, even if members leave.
using Configuration = std::array<RouteWord, kMostSearchInputs>;

/// The resources that the routes of a configuration leave free.
struct LinkUse {
  LinkUse(const Configuration& routes, const Structure& structure);

  std::array<SwitchMask, kMostSearchMiddles> busy{};  ///< M_j of each middle switch.
  /// Available middle switches of each input switch.
  std::array<SwitchMask, kMostSearchInputs> available{};
  SwitchMask open_outputs = 0;  ///< Output switches that have an idle port.
};

/// Mixes the bits of a number as the finaliser of SplitMix64 does, so that similar numbers become
/// distant ones.
constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

/// Packs configurations into few bits: for each port of each output switch the number 1 + (input,
/// middle switch) of its link, or 0 if it is idle. A configuration of v(6, 3, 3) takes 54 bits.
class Packing {
 public:
  explicit Packing(const Structure& structure);

  /// Words of 64 bits that a configuration takes.
  std::size_t words() const { return words_; }
  /// Fills words() words; two configurations have equal words only if they are equal.
  void pack(const Configuration& routes, std::uint64_t* words) const;
  Configuration unpack(const std::uint64_t* words) const;

 private:
  Structure structure_;
  std::uint32_t bits_;  ///< Bits per port.
  std::size_t words_;
};

// Events of a configuration. A request uses the first idle port of its input switch. Input switches
// with equal routes make the same requests, and so do equal routes of a switch, so only the first
// of equal neighbours counts.

/// Calls visit(input, wanted) for the requests of every input switch with an idle port to every set
/// of output switches with an idle port, until one returns false. Returns whether none did.
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

/// Calls visit(input, rest) with the rest of the route of every live connection that ends, 0, and
/// then, if members may leave, of every one that a member leaves, the last one excepted.
template <class Visit>
bool for_each_ending(const Configuration& routes, const Structure& structure, bool leave,
                     Visit&& visit) {
  const auto is_first = [&](std::uint32_t p) {
    return routes[p] != 0 && (p % structure.n1 == 0 || routes[p] != routes[p - 1]);
  };
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    if (is_first(p) && !visit(p, RouteWord{0})) return false;
  }
  for (std::uint32_t p = 0; leave && p < structure.inputs(); ++p) {
    for (std::uint32_t k = 0; is_first(p) && k < structure.r2; ++k) {
      const RouteWord rest = without_leg(routes[p], k);
      if (rest != 0 && rest != routes[p] && !visit(p, rest)) return false;
    }
  }
  return true;
}

/// Limits of a search. Reaching one ends it without a verdict.
struct SearchLimits {
  std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_bytes = std::uint64_t{8} << 30;
  /// Called every few milliseconds; true ends the search. Empty: no limit.
  std::function<bool()> stop{};
};

/// The number of states between two calls of SearchLimits::stop.
inline constexpr std::uint32_t kStatesBetweenStops = 256;

/// The result of a search.
enum class SearchOutcome {
  kBlocks,       ///< Some reachable state blocks some valid request.
  kNeverBlocks,  ///< No reachable state does.
  kNoVerdict,    ///< A limit was reached.
};

/// The names that can be exchanged without affecting the future. Ports of a switch and input
/// switches always can, since no strategy sees them.
enum class Symmetry {
  kInputs,  ///< Inputs only.
  /// Output switches, too: for strategies that use only the sizes of sets. Middle switches differ
  /// because their index breaks ties.
  kOutputs,
  kMiddles,  ///< Middle switches, too: for searches that may choose any legal route.
};

/// One representative of all configurations that differ only in names.
///
/// Switches get colours that do not depend on names. The colours fix the order of switches except
/// where several have the same; all orders of these are tried, with inputs sorted in each, and the
/// largest result is the representative. Unused switches need no order.
/// Time: O(n1 r1 r2) times the orders tried, mostly 1 or 2, at worst r2! (and m! for kMiddles).
Configuration canonical_form(const Configuration& routes, const Structure& structure,
                             Symmetry symmetry);

}  // namespace flitcast::clos
