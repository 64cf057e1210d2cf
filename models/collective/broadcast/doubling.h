// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/complete.h"

namespace flitcast {

/// One-to-all broadcast on the complete graph by doubling, store-and-forward and one-port.
///
/// Nodes are ranked from the source on, rank = (node - source) mod p. In round k = 1, 2, .. every
/// rank r < 2^(k-1) sends to rank r + 2^(k-1), if there is one, so that the informed double.
///
/// Cost: ceil(log2 p) rounds and p - 1 sends for p nodes; both are minimal.
/// A source that is not a node throws PreconditionError.
/// Source: CS838 lecture notes (1999), section 11, "EREW PRAM", which says that the algorithm works
/// on the one-port complete network; the ranks, for p other than powers of two, are ours.
Plan doubling_broadcast(const Complete& network, NodeId source);

}  // namespace flitcast
