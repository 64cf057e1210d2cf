// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

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
/// fuller, so whoever wants to block can do without it.
using Configuration = std::array<RouteWord, kMostSearchInputs>;

/// What the routes of a configuration leave free.
struct LinkUse {
  LinkUse(const Configuration& routes, const Structure& structure);

  std::array<SwitchMask, kMostSearchMiddles> busy{};      ///< M_j, of each middle switch.
  std::array<SwitchMask, kMostSearchInputs> available{};  ///< Of each input switch.
  SwitchMask open_outputs = 0;  ///< Output switches that have an idle port.
};

}  // namespace flitcast::clos
