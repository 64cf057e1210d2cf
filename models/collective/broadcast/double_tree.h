// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/ids.h"
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

/// One-to-all wormhole broadcast on an all-port hypercube by the Ho-Kao algorithm (HKA).
///
/// In one round the source sends to all n nodes of an ascending dimension-simple path u_1 .. u_n,
/// u_j = u_(j-1) with the j-th lowest dimension complemented, over node-disjoint e-cube paths. The
/// cube is split into n + 1 subcubes of nearly equal size with one u_j in each, and the same is
/// done in all of them at once. Where the double tree is not worse, it is used instead.
///
/// Cost: ho_kao_rounds(n) rounds, 2^n - 1 sends, no duplicates. Optimal for n <= 7; at most two
/// above the lower bound up to n = 20. Paths are e-cube, most significant bit first. O(n 2^n) time.
/// Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "Hypercube" under wormhole switching, after Ho
/// and Kao. Its dimension-simple paths have at most n - 1 dimensions, which is a slip: n are needed
/// for n + 1 subcubes. How to split is left to a lost figure; halving the path is chosen here.
Plan ho_kao_broadcast(const Hypercube& cube, NodeId source);

/// The rounds on an n-cube: those of the double tree, or one more than the largest subcube takes.
///
///   n       0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
///   rounds  0 1 2 2 2 3 3 3 4 4  4  5  5  5  6  6  6  6  7  7  7
std::size_t ho_kao_rounds(std::size_t n);

}  // namespace flitcast
