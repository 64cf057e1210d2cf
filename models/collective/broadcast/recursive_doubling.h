// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "collective/cost_model.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// One-to-all wormhole broadcast on one-port grids by recursive doubling, dimension by dimension.
///
/// In phase i every informed node broadcasts in its line of dimension i. Each round halves every
/// segment of a line: its owner keeps the half it is in and sends half the segment further, to the
/// corresponding node of the other half. In a wrapped dimension places count from the source
/// upwards, so that all messages go up, at most half way round.
///
/// Any grid, each dimension by its own rule. All paths lie within their own segments, so no two
/// meet under any minimal routing; half way round they take the plus direction.
///
/// Cost: sum of ceil(log2 z_i) rounds for sizes z_i, N - 1 sends, no duplicates. Optimal if that is
/// ceil(log2 N); M(5,5) takes 6 rounds for 5 (chain_halving.h always meets the bound, on meshes).
/// O(hops) time. Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "One-port WH Meshes" and "One-port WH Tori". Its
/// rule for odd sizes was in a lost figure; here an owner in the exact middle keeps the larger
/// half.
Plan recursive_doubling_broadcast(const Grid& grid, NodeId source);

/// The time of that broadcast from any source in closed form,
///   sum over i of (ts + m tm) ceil(log2 z_i) + td (z_i - 1),
/// whether or not nodes wait for the end of a round. A segment of k nodes leaves one of ceil(k/2)
/// and costs floor(k/2) hops, hence z - 1 in all. The lecture's z/2^i hops in round i add up to
/// that for powers of two only.
std::uint64_t recursive_doubling_cycles(const CostModel& cost, const Grid& grid);

}  // namespace flitcast
