// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "collective/demand.h"
#include "collective/discipline.h"
#include "topology/topology.h"

namespace flitcast {

/// A number of rounds that no algorithm undercuts, and why.
struct LowerBound {
  std::size_t rounds = 0;
  std::string reason;  ///< "eccentricity of the source", "ceil(log_5 N)"
};

/// The smallest r with base^r >= n, in integers. base >= 2, n >= 1.
std::size_t ceil_log(std::size_t base, std::size_t n);

/// Hops from a node to the one farthest from it. O(channels).
std::size_t eccentricity(const Topology& topology, NodeId source);

/// The best lower bound known here for an operation on a topology:
///  - broadcast, store-and-forward, k-port: max(eccentricity, ceil(log_(k+1) N)); all-port: the
///    eccentricity;
///  - broadcast, wormhole, k-port: ceil(log_(k+1) N) with k at most the ports of a router;
///  - all-port store-and-forward gossip with k chunks a node: ceil(k (N - 1) / ports); scatter:
///    max(eccentricity, ceil((N - 1) / ports)); all-to-all scatter: sum of distances over channels.
/// Source: CS838 lecture notes (1999), sections 4 to 6, in seed 000; seed 001, section 1.
LowerBound lower_bound(const Topology& topology, const Demand& demand,
                       const Discipline& discipline);

}  // namespace flitcast
