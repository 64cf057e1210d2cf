// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "config/configuration.h"
#include "routing/analysis/deadlock.h"
#include "sim/energy/energy.h"
#include "sim/experiment/capacity.h"
#include "sim/experiment/workload.h"
#include "sim/host/memory.h"

namespace flitcast {

/// An experiment that is made and checked, but not yet in SystemC time.
struct Model {
  NetworkPlan network;
  std::unique_ptr<Interface> interface;
  std::unique_ptr<Workload> workload;  ///< Has joined the network.
  std::optional<Capacity> capacity{};  ///< Only for workloads that offer a steady load.
  std::optional<EnergyPlan> energy{};  ///< Absent: energy is not counted.

  const Topology& topology() const { return *network.topology; }
  /// The central control that admits packets; null for other networks.
  const PacketAdmission* control() const { return network.control.get(); }
};

/// Makes all parts, asks each of them whether the others suit it, and throws one ConfigError with
/// the problems of all. A network that needs more memory than `limit` is refused first, before it
/// takes any. The configuration must outlive the model.
/// @param unsafe  Accept too few virtual channels for freedom from deadlock.
Model make_model(const Configuration& configuration, bool unsafe,
                 const MemoryLimit& limit = memory_limit());

/// The section `trace`; throws ConfigError for signals that the topology does not have.
SignalTrace trace_of(const Configuration& configuration, const Topology& topology);

/// A model whose workload is made and verified but has not joined the network, which has only its
/// topology and its parameters; throws ConfigError.
Model make_unplayed(const Configuration& configuration);

/// True if the channel-dependency graph of the model can be built in reasonable time; networks of
/// tens of thousands of nodes are too large. False for circuits and for multicasts.
bool dependencies_are_checkable(const Model& model);

/// Throws ConfigError with the cycle of classes if requests and replies can wait for each other
/// although the routing is free of deadlock; see protocol_deadlock().
void check_protocol(const Model& model, const Configuration& configuration);

/// Throws ConfigError with the cycle of channels if the routing can deadlock.
DependencyCheck check_routing(const Model& model, const Configuration& configuration);

}  // namespace flitcast
