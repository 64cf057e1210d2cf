// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// One-to-all wormhole broadcast on one-port meshes by chain halving (U-mesh).
///
/// All nodes form a chain in lexicographic order of (x_0, x_1, ...): the dimension that is routed
/// first is the most significant. Each round halves every segment of the chain; its owner sends to
/// the nearest node of the other half. The messages of a round then share no channel under
/// dimension-order routing with dimension 0 first (XY), which with the other order of nodes they
/// do.
///
/// Cost: ceil(log2 N) rounds, which is optimal for all sizes and sources; N - 1 sends, no
/// duplicates. O(hops) time. Throws PreconditionError: kTopology where a dimension of
/// size 2 or more wraps, kSource.
///
/// Source: McKinley, Xu, Esfahanian and Ni, "Unicast-Based Multicast Communication in
/// Wormhole-Routed Networks", IEEE TPDS 5(12), 1994, with all nodes as destinations.
Plan chain_halving_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
