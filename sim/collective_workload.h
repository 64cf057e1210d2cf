// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collective/catalog.h"
#include "collective/cost_model.h"
#include "collective/lower_bounds.h"
#include "collective/precondition.h"
#include "collective/step_machine.h"
#include "config/configuration.h"
#include "network/network_params.h"
#include "topology/topology.h"

namespace flitcast {

/// A collective workload, judged on the abstract step machine.
struct CollectiveWorkload {
  std::string algorithm;
  Collective collective;
  Judgement judgement;
  LowerBound bound;
  std::optional<RouterForwarding> forwarding;  ///< If routers carry it out instead of nodes.
  CostModel cost;                              ///< Of the network that the experiment describes.
  /// Absent where the cost model has no formula: channels with latencies of their own, and gossip
  /// by routers that do not store packets.
  std::optional<std::uint64_t> analytic_cycles;
};

/// Whether the workload is a collective operation that routers are to carry out.
bool routers_forward(const Configuration& configuration);

/// The times of the network that the configuration describes. A start-up shorter than the way
/// through the nodes' interfaces does not exist.
CostModel cost_model(const Configuration& configuration, const NetworkParams& params);

/// Throws the ConfigError that points at what of the instance is at fault.
[[noreturn]] void fail(const Configuration& configuration, const PreconditionError& error);

/// Makes and judges what the configuration's workload describes. Throws ConfigError where the
/// algorithm is not defined, and InvariantError for a schedule that the step machine refuses.
CollectiveWorkload make_collective(const Configuration& configuration, const Topology& topology,
                                   const NetworkParams& params);

/// Ports of every node as node.ports says: 1, a number, or one for every channel of the widest
/// router. Throws ConfigError for more than a router can have.
std::size_t node_ports(const Configuration& configuration, const Topology& topology);

}  // namespace flitcast
