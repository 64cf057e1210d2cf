// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "routing/analysis/deadlock.h"
#include "sim/energy/energy.h"
#include "sim/experiment/capacity.h"
#include "sim/experiment/workload.h"
#include "sim/host/process.h"

namespace flitcast {

/// An experiment that is made and checked, but not yet built in SystemC.
struct Model {
  NetworkPlan network;
  std::unique_ptr<Interface> interface;
  std::unique_ptr<Workload> workload;    ///< The workload, which has joined the network.
  std::optional<OfferedLoad> offered{};  ///< The load on channels, if it is steady.
  std::optional<Capacity> capacity{};    ///< Absent without a routing or a steady load.
  std::optional<EnergyPlan> energy{};    ///< Absent: energy is not counted.

  const Topology& topology() const { return *network.topology; }
  /// The central control that admits packets; null for other networks.
  const PacketAdmission* control() const { return network.control.get(); }
};

/// Notes for the user before a run: those of the workload, and one about channels whose buffers do
/// not cover the credit round trip.
std::vector<std::string> notes_of(const Model& model, const Configuration& configuration);

/// The buffers behind channels that do not cover the credit round trip, and the throughput that
/// they leave to the longest of these channels; empty if all buffers do.
std::string credit_note(const NetworkPlan& network);

/// Makes all parts, lets each of them check the others for compatibility, and throws one
/// ConfigError with the problems of all. A network that needs more memory than `limit` is rejected
/// first, before it allocates any. The configuration must outlive the model.
/// @param unsafe  Accept fewer virtual channels than freedom from deadlock requires.
/// @param like    A model with a steady load and the same network_key(), which loses its topology
///                and its capacity to the new model; that also takes its routing. Null: all parts
///                are made.
Model make_model(const Configuration& configuration, bool unsafe,
                 const MemoryLimit& limit = memory_limit(), Model* like = nullptr);

/// A text that is the same for configurations whose networks and shares of traffic are equal, so
/// that they have one topology, routing, dependency check and capacity: all that determines results
/// except the seed, the measurement and a workload.load that is one number. Topologies and routings
/// have seeds of their own.
std::string network_key(const Configuration& configuration);

/// As make_model(), but the workload has only been checked for the network, and has not joined it.
Model make_fitted(const Configuration& configuration);

/// Reads the section `trace`; throws ConfigError for signals that the topology does not have.
SignalTrace trace_of(const Configuration& configuration, const Topology& topology);

/// Makes a model whose workload has been made and verified but has not joined the network; the
/// network only has its topology and its parameters. Throws ConfigError.
Model make_unplayed(const Configuration& configuration);

/// An estimate of the memory that the network takes, in bytes; absent for routers without one.
std::optional<std::uint64_t> memory_estimate(const NetworkPlan& network);

/// True if the channel-dependency graph of the model can be built in reasonable time; networks of
/// tens of thousands of nodes are too large. False for circuits and for multicasts.
bool dependencies_are_checkable(const Model& model);

/// Throws ConfigError with the cycle of message classes if requests and replies can wait for each
/// other although the routing is free of deadlock; see protocol_deadlock().
void check_protocol(const Model& model, const Configuration& configuration);

/// Throws ConfigError with the cycle of channels if the routing can deadlock.
DependencyCheck check_routing(const Model& model, const Configuration& configuration);

}  // namespace flitcast
