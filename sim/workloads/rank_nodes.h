// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/ids.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// The node of every rank of a collective operation, as workload.nodes says, who takes part, and
/// workload.mapping, in which order.
///
///   identity        in the order of `nodes`, which are all nodes upwards unless they are listed
///   snake           in the order of a walk through a grid that turns back at the end of every row,
///                   dimension 0 first: every node is a neighbour of the one before
///   gray            rank r in place r XOR (r >> 1) of `nodes`, of which there must be 2^k: on a
///                   hypercube ranks are neighbours of the next, and the last of the first
///   {random: SEED}  in the order of the random permutation of that seed
///   [list]          of the nodes, each once
///
/// Throws ConfigError with all that is wrong with the two keys: nodes that there are none of or
/// that come twice, a list that is no order of the nodes, a mapping that is not defined for them.
std::vector<NodeId> nodes_of_ranks(const Section& workload, const Topology& topology);

}  // namespace flitcast
