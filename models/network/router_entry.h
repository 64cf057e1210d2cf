// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

struct ControlledRounds;

/// Properties of networks with routers of a kind, under a routing, so that other modules need not
/// know the kind.
struct Capabilities {
  bool has_buffers = true;              ///< Packets wait in routers.
  BufferUnit unit = BufferUnit::kFlit;  ///< Routers that count packets keep them whole.
  bool is_adaptive = false;             ///< Packets can choose among several outputs.
  bool shows_nodes = false;             ///< Waveforms can show nodes where there are no wires.
  bool has_classes = true;              ///< Packets may be of several message classes.
  bool has_multicasts = false;          ///< Destinations may be groups of nodes.
  bool has_fixed_paths = true;          ///< A Routing says beforehand which paths packets take.
  /// An unloaded packet takes the cycles of hop_cycles() and interface_cycles().
  bool has_known_latency = true;
};

/// The parts of an experiment, for the entries that have to work with them.
struct FitContext {
  const Configuration& configuration;
  const Topology& topology;
  const NetworkParams& params;
  Capabilities can;
  ProblemList& problems;
  const Routing* routing = nullptr;  ///< Null: there is none, or it has a problem of its own.
  /// In flits; absent if the workload has a problem of its own.
  std::optional<std::uint32_t> longest_packet{};

  /// The entry that a section chooses.
  const std::string& kind(const char* section) const {
    return configuration.section(section).text("kind");
  }
  /// Adds a problem of a key.
  void refuse(const char* section, const std::string& key, std::string what,
              std::string hint) const {
    problems.add(configuration.section(section).problem(key, std::move(what), std::move(hint)));
  }
};

/// The context in which a kind of router is configured.
struct RouterContext {
  const Topology& topology;  ///< Must outlive the network.
  std::uint64_t seed = 1;    ///< The seed of the experiment.
};

/// The parts of a network. Everything passed by reference or pointer must outlive it.
struct NetworkParts {
  const Topology& topology;
  const NetworkParams& params;
  PacketSource& source;
  /// The paths of packets; null where a central control connects inputs to outputs.
  const Routing* routing = nullptr;
  /// Destinations of multicasts under a central control; null for other networks.
  const DestinationGroups* groups = nullptr;
  /// One for each partition (FabricPlan::partition_count()), or none.
  std::vector<Probe*> probes{};
  /// Null: none. Only for implementations that have signals.
  const SignalTrace* trace = nullptr;
};

using NetworkMaker = std::unique_ptr<Network> (*)(const NetworkParts& parts);

/// A kind of router: how a user names it, and the network that is made of it.
struct RouterEntry : CatalogEntry<NetworkMaker> {
  /// Without buffers it has none of the keys that all routers with buffers share.
  Capabilities can{};
  /// Adds the parameters that the section `router` gives; throws ConfigError. Null: it has none.
  void (*configure)(const Section& router, const RouterContext& context,
                    NetworkParams& params) = nullptr;
  /// A lower bound on the bytes of a network of that size, before it has a topology; null: not
  /// known.
  std::uint64_t (*least_memory)(const TopologySize& size, const NetworkParams& params) = nullptr;
  /// About how many bytes the network takes; null: not known.
  std::uint64_t (*memory_estimate)(const Topology& topology, const NetworkParams& params,
                                   OutputMode mode) = nullptr;
  /// The reference of Network::write_figures().
  std::vector<FigureMeaning> figures{};
  /// The cycles of a schedule that messages without paths of their own take in rounds, under the
  /// central control of a Clos network; see circuit/central_control.h. Null: the time of packets.
  std::optional<std::uint64_t> (*round_cycles)(const ControlledRounds& rounds) = nullptr;
};

/// An entry whose network is a Fabric of these cores, with all that follows from it.
/// @param configure  Sets NetworkParams::cores, besides what its keys say.
RouterEntry fabric_entry(CatalogEntry<NetworkMaker> entry, const RouterCores& cores,
                         void (*configure)(const Section&, const RouterContext&, NetworkParams&));

/// The routers that a user can name under router.kind.
Catalog<RouterEntry>& routers();
/// The one that the user has named.
const RouterEntry& router_of(const Configuration& configuration);

}  // namespace flitcast
