// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clos/bounds/crosspoint_plans.h"
#include "clos/bounds/multirate_bound.h"

namespace flitcast::clos {

/// What a switch of N inputs and N outputs shall do without blocking.
struct DesignRequest {
  std::uint64_t ports = 1;               ///< N, 1 to 2^24.
  std::optional<std::uint64_t> fan_out;  ///< Most outputs of a connection; none: all of them.
  std::optional<Rate> least_rate;        ///< Of a connection that shares links; none: 1.
};

/// What is claimed of a network. The first holds whatever legal routes are in use, the second if
/// all routes are those of strategy S1 with the pass limit x; rearrangeable means that every set of
/// connections has some routes, which new requests may have to change.
enum class Nonblocking { kStrictSense, kWideSense, kRearrangeable };

/// "strict sense", "wide sense", "rearrangeable".
std::string to_text(Nonblocking claim);

/// A network that does it.
struct Design {
  std::string basis;  ///< The theorem that the number of middle switches is from.
  Nonblocking claim = Nonblocking::kStrictSense;
  CrosspointPlan plan;  ///< Its levels with their n, r, m and x, and its crosspoints.
  /// Most clocks from a request to its connection in each of controllers(), in their order; none if
  /// nothing is to be decided (crossbar) or by another algorithm (rearrangeable).
  std::vector<std::uint64_t> clocks;

  /// 1 for a crossbar, else 2k + 1.
  std::size_t stages() const { return 2 * plan.levels.size() + 1; }
};

/// The nonblocking networks for a request, those with the fewest crosspoints first; of equal ones
/// the stronger claim, fewer stages, the smaller n.
///
/// The crossbar; for every n that divides N a three-stage network by every theorem that applies;
/// and by each of them the cheapest plan of five and of seven stages. Theorems: 3, or Corollary 1
/// with a fan-out limit below N; the refined bound; strict sense; Theorem 10 where two or more
/// connections share a link; and for fan-out 1 the networks of Clos and of Slepian and Duguid
/// (m = n, rearrangeable), or Corollary 4. What does not fit in 64 bits is left out.
///
/// Clocks of a level are 1 + P c + 1, c those of a pass and P at most x, or the fan-out where there
/// is no limit x (a pass serves an output switch at least); the levels run one after another.
/// Throws std::invalid_argument for a request that no network fits: N or a fan-out of 0, N too
/// large, a rate that is not above 0 and at most 1; std::overflow_error for a rate so small that
/// not even the middle switches fit in 64 bits.
std::vector<Design> designs(const DesignRequest& request);

}  // namespace flitcast::clos
