// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "config/configuration.h"
#include "network/circuit/packet_admission.h"
#include "routing/analysis/deadlock.h"
#include "sim/energy/energy.h"
#include "sim/experiment/capacity.h"
#include "sim/experiment/workload.h"
#include "sim/host/memory.h"

namespace flitcast {

/// What a configuration describes, made and checked, but not yet in SystemC time.
struct Model {
  NetworkPlan network;
  std::unique_ptr<Workload> workload;  ///< Has joined the network.
  std::optional<Capacity> capacity{};  ///< Of packets that are offered at a steady load.
  std::optional<EnergyPlan> energy{};  ///< Absent: nobody asks for it.

  const Topology& topology() const { return *network.topology; }
  /// The routing of a network whose packets need leave to enter; null for others.
  const PacketAdmission* control() const {
    return dynamic_cast<const PacketAdmission*>(network.routing.get());
  }
};

/// Makes everything, collecting the problems of all sections before it throws ConfigError; a
/// network that takes more memory than `limit` is refused alone, before it takes any. The
/// configuration must outlive the model.
/// @param unsafe  Accept too few virtual channels for freedom from deadlock.
Model make_model(const Configuration& configuration, bool unsafe,
                 const MemoryLimit& limit = memory_limit());

/// The section `trace`; throws ConfigError for what there is not in the topology.
SignalTrace trace_of(const Configuration& configuration, const Topology& topology);

/// A model whose workload is made and verified but has not joined the network, of which there are
/// the topology and the parameters; throws ConfigError.
Model make_unplayed(const Configuration& configuration);

/// Whether the channel-dependency graph of the model can be built in reasonable time; networks of
/// tens of thousands of nodes are beyond it. None of circuits and of multicasts.
bool dependencies_are_checkable(const Model& model);

/// Throws ConfigError with the cycle of classes if requests and replies can wait for each other
/// although the routing is free of deadlock; see protocol_deadlock().
void require_answers(const Model& model, const Configuration& configuration);

/// Throws ConfigError with the cycle of channels if the routing can deadlock.
DependencyCheck require_acyclic(const Model& model, const Configuration& configuration);

}  // namespace flitcast
