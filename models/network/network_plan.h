// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/destination_groups.h"
#include "config/catalog.h"
#include "network/circuit/packet_admission.h"
#include "network/network.h"
#include "network/router_entry.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Makes a network of routers of that kind.
using ImplementationMaker = std::unique_ptr<Network> (*)(const RouterEntry& router,
                                                         const NetworkParts& parts);

/// An implementation of networks in SystemC. Every implementation delivers every packet in the same
/// cycle, so that it changes no result but the time that a run takes.
struct Implementation : CatalogEntry<ImplementationMaker> {
  bool has_signals = false;   ///< For NetworkParts::trace.
  bool takes_sockets = true;  ///< Sockets of TLM-2.0 can stand between it and its nodes.
};

/// The implementations that a user can name under run.implementation; the first is the fastest.
Catalog<Implementation>& implementations();
/// The one that the configuration names.
const Implementation& implementation_of(const Configuration& configuration);

/// A network as a configuration describes it, not yet in SystemC time.
struct NetworkPlan {
  const RouterEntry* router = nullptr;
  const Implementation* implementation = &implementations()[0];
  Capabilities can{};
  std::unique_ptr<Topology> topology;
  NetworkParams params;
  /// Destinations of multicasts under a central control; null for other networks.
  std::unique_ptr<DestinationGroups> groups;
  /// The virtual channels of each message class; none: one class, which has all.
  std::vector<VcRange> class_vcs{};
  /// Null for circuits, whose control is among the parameters.
  std::shared_ptr<Routing> routing;
  /// The same routing, if it is a central control of packets.
  std::shared_ptr<const PacketAdmission> control{};
  /// Absent: no waveform is asked for.
  std::optional<SignalTrace> trace{};
};

}  // namespace flitcast
