// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/plan.h"
#include "collective/schedule.h"
#include "topology/hypercube.h"

namespace flitcast {

/// One-to-all wormhole broadcast on an all-port hypercube by the double tree algorithm (DTA).
///
/// In round 1 the source sends to the opposite corner, n hops away, and to all neighbours but the
/// one that the long path passes. From then on both corners grow spanning binomial trees, which
/// meet half way: the nodes at distance up to floor(n/2) belong to the source's tree. The neighbour
/// left out is a leaf of it and is served in round 2.
///
/// Cost: ceil(n/2) rounds, but 2 for n = 2; 2^n - 1 sends, no duplicates. All messages but the one
/// to the opposite corner go one hop. Paths are e-cube, most significant bit first. Optimal for
/// n <= 6, though for n = 5 the counting bound says 2 and only a search shows that 3 are needed.
/// O(2^n) time. Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "Hypercube" under wormhole switching. It claims
/// ceil(n/2) for all n, which for n = 2 is below the lower bound, and does not say how the left-out
/// neighbour is served.
Plan double_tree_broadcast(const Hypercube& cube, NodeId source);

/// The rounds of the double tree on an n-cube.
std::size_t double_tree_rounds(std::size_t n);

/// The nodes of a hypercube that differ from `root` in no other bits than those of `dimensions`.
struct Subcube {
  NodeId root{};
  std::uint32_t dimensions = 0;
};

/// One message along its e-cube path.
struct CubeMessage {
  NodeId from{};
  NodeId to{};
};
using CubeRounds = std::vector<std::vector<CubeMessage>>;

/// Adds the double tree of a subcube's root to `rounds`, its first round at `first_round`; there
/// must be double_tree_rounds() of them from there on.
void add_double_tree(const Subcube& subcube, std::size_t first_round, CubeRounds& rounds);

/// Those messages as a schedule of chunk 0, with their paths.
Schedule e_cube_schedule(const Hypercube& cube, const CubeRounds& rounds);

}  // namespace flitcast
