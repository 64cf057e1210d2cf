// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/destination_groups.h"
#include "config/catalog.h"
#include "network/circuit/packet_admission.h"
#include "network/network.h"
#include "network/pins/signal_names.h"
#include "network/router_entry.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Makes a network of routers of the given kind.
using ImplementationMaker = std::unique_ptr<Network> (*)(const RouterEntry& router,
                                                         const NetworkParts& parts);

/// An implementation of networks. Those in SystemC, in implementations(), deliver every packet in
/// the same cycle: the choice among them changes the run time, but no result.
struct Implementation : CatalogEntry<ImplementationMaker> {
  bool has_signals = false;   ///< True if the network supports NetworkParts::trace.
  bool takes_sockets = true;  ///< True if TLM-2.0 sockets can connect to its nodes.
  bool has_flits = true;      ///< True if logs and timelines can show the flits in routers.
  /// The setting that users choose for what this implementation does not have.
  std::string instead = "run.implementation: fast";
};

/// The implementations that can be named under run.implementation; the first is the fastest.
Catalog<Implementation>& implementations();
/// Networks of flows in place of flits, at run.level: flow. Their times are estimates.
const Implementation& flow_level();
/// The implementation that the configuration names by run.level and run.implementation.
const Implementation& implementation_of(const Configuration& configuration);

/// A network that is described by a configuration but not yet built in SystemC.
struct NetworkPlan {
  const RouterEntry* router = nullptr;
  const Implementation* implementation = &implementations()[0];
  Capabilities can{};
  std::unique_ptr<Topology> topology;
  NetworkParams params;
  /// Destinations of multicasts under a central control; null for other networks.
  std::unique_ptr<DestinationGroups> groups;
  /// The virtual channels of each message class; empty: one class, which uses all of them.
  std::vector<VcRange> class_vcs{};
  /// Null for circuits, whose control is in `params`.
  std::shared_ptr<Routing> routing;
  /// The same object as `routing` if it is a central control of packets, else null.
  std::shared_ptr<const PacketAdmission> control{};
  /// Absent if no waveform is requested.
  std::optional<SignalTrace> trace{};
};

}  // namespace flitcast
