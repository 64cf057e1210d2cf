// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/destination_groups.h"
#include "base/figures.h"
#include "base/packet_source.h"
#include "base/probe.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/fabric/router_cores.h"
#include "network/network.h"
#include "network/network_params.h"
#include "network/pins/signal_trace.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// What a kind of router is made for.
struct RouterContext {
  const Topology& topology;  ///< Must outlive the network.
  std::uint64_t seed = 1;    ///< Of the experiment.
};

/// What a network is made of. Everything passed by reference or pointer must outlive it.
struct NetworkParts {
  const Topology& topology;
  const NetworkParams& params;
  PacketSource& source;
  /// Which way packets take; null where a central control connects inputs to outputs.
  const Routing* routing = nullptr;
  /// Of a centrally controlled network, else null.
  const DestinationGroups* groups = nullptr;
  /// One for each partition (FabricPlan::partition_count()), or none.
  std::vector<Probe*> probes{};
  /// Null: none. Only for realisations that have signals.
  const SignalTrace* trace = nullptr;
};

using NetworkMaker = std::unique_ptr<Network> (*)(const NetworkParts& parts);

/// A kind of router: what a user says to get it and the network that is made of it.
struct RouterEntry : CatalogEntry<NetworkMaker> {
  /// Of which its fabrics are made. Null: it has no buffers, nor any of the keys that all routers
  /// with buffers share, and a central control connects inputs to outputs before flits come.
  const RouterCores* cores = nullptr;
  /// Adds to the parameters of the network what the section says; throws ConfigError. Null:
  /// nothing.
  void (*configure)(const Section& router, const RouterContext& context,
                    NetworkParams& params) = nullptr;
  /// Throws ConfigError for what is too large for such routers. Null: all fits.
  void (*require_fit)(const Configuration& configuration, const Topology& topology,
                      const NetworkParams& params) = nullptr;
  /// Bytes that a network of that size will take at the least, before it has a topology; null if
  /// that is not known.
  std::uint64_t (*least_memory)(const TopologySize& size, const NetworkParams& params) = nullptr;
  /// About how many bytes the network will take; null if that is not known.
  std::uint64_t (*memory_estimate)(const Topology& topology, const NetworkParams& params,
                                   OutputMode mode) = nullptr;
  /// The reference of what Network::write_figures() gives.
  std::vector<FigureMeaning> figures{};
};

/// An entry whose network is a Fabric of these cores.
/// @param configure  Sets NetworkParams::cores, besides what its keys say.
RouterEntry fabric_entry(CatalogEntry<NetworkMaker> entry, const RouterCores& cores,
                         void (*configure)(const Section&, const RouterContext&, NetworkParams&));

/// The routers that a user can name under router.kind.
Catalog<RouterEntry>& routers();
/// The one that the user has named.
const RouterEntry& router_of(const Configuration& configuration);

}  // namespace flitcast
