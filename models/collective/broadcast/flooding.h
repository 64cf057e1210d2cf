// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/topology.h"

namespace flitcast {

/// One-to-all broadcast by flooding, store-and-forward and all-port, on any connected network.
///
/// The source sends to all its neighbours in round 1. A node that first receives in round t sends
/// in round t + 1 to all its neighbours except those that it received from in round t; it drops
/// what comes later. Two parallel links carry a copy each.
///
/// Cost, with the nodes put into levels by their distance from the source: everyone is informed
/// after as many rounds as the source's eccentricity, the minimum. Links between two levels carry
/// one copy and links inside a level two, all but N - 1 of them duplicates. Where a link joins two
/// nodes of the last level, as in odd tori, one more round of useless sends follows and belongs to
/// the schedule. A one-way link carries a copy whichever way it leads.
///
/// Throws PreconditionError for a source that is not a node, for networks in which the source does
/// not reach everyone, and for those whose node n does not sit at router n.
/// Source: CS838 lecture notes (1999), section 11, "1-port vs. all-port model". It leaves open what
/// a node does on receipts from several neighbours at once.
Plan flooding_broadcast(const Topology& topology, NodeId source);

}  // namespace flitcast
