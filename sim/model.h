// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "config/configuration.h"
#include "network/clos_control.h"
#include "network/network_params.h"
#include "routing/deadlock.h"
#include "routing/routing.h"
#include "sim/collective_workload.h"
#include "sim/round_workload.h"
#include "topology/topology.h"
#include "traffic/collective_source.h"
#include "traffic/multicast_traffic.h"
#include "traffic/trace_source.h"

namespace flitcast {

/// What a configuration describes, made and checked, but not yet in SystemC time.
struct Model {
  std::unique_ptr<Topology> topology;
  std::unique_ptr<DestinationGroups> groups;  ///< Of a centrally controlled network, else null.
  std::shared_ptr<ClosControl> control;       ///< `routing` and admission of such, else null.
  std::shared_ptr<Routing> routing;
  std::unique_ptr<PacketSource> source;
  MulticastTraffic* multicasts = nullptr;  ///< `source` if it sends random multicasts, else null.
  const TraceSource* trace = nullptr;      ///< `source` if it replays a trace, else null.
  std::unique_ptr<CollectiveWorkload> collective;  ///< What `player` plays, else null:
  std::unique_ptr<RoundWorkload> rounds;           ///< one of the two.
  const CollectiveSource* player = nullptr;        ///< `source` if it plays a collective operation.
  NetworkParams params;
};

/// The topology and the parameters of the network, without routing and source.
Model make_bare_model(const Configuration& configuration);

/// Makes everything, collecting the problems of all sections before it throws ConfigError.
/// @param unsafe  Accept too few virtual channels for freedom from deadlock.
Model make_model(const Configuration& configuration, bool unsafe);

/// Whether the channel-dependency graph of the model can be built in reasonable time; networks of
/// tens of thousands of nodes are beyond it.
bool dependencies_are_checkable(const Model& model);

/// Throws ConfigError with the circle of channels if the routing can deadlock.
DependencyCheck require_acyclic(const Model& model, const Configuration& configuration);

}  // namespace flitcast
