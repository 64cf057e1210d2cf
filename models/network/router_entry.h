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
#include "config/param.h"
#include "network/fabric/router_cores.h"
#include "network/network.h"
#include "network/network_params.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

struct ControlledRounds;
struct SignalTrace;

/// The capabilities of a network, given its kind of router and its routing. Other modules use them
/// so that they need not know the kind.
struct Capabilities {
  bool has_buffers = true;  ///< Packets wait in routers.
  BufferUnit unit =
      BufferUnit::kFlit;        ///< Routers that count packets store each packet as a whole.
  bool is_adaptive = false;     ///< Packets can choose among several outputs.
  bool shows_nodes = false;     ///< Waveforms can show nodes even without signals.
  bool has_classes = true;      ///< Packets may belong to several message classes.
  bool has_multicasts = false;  ///< Destinations may be groups of nodes.
  bool has_fixed_paths = true;  ///< A Routing defines the paths of packets before the run.
  /// The latency of a packet in an idle network follows from hop_cycles() and interface_cycles().
  bool has_known_latency = true;
};

/// The parts of an experiment, which catalog entries check for compatibility.
struct FitContext {
  const Configuration& configuration;
  const Topology& topology;
  const NetworkParams& params;
  Capabilities can;
  ProblemList& problems;
  const Routing* routing =
      nullptr;  ///< Null if there is none, or if its configuration has a problem.
  /// Length of the longest packet in flits; absent if the configuration of the workload has a
  /// problem.
  std::optional<std::uint32_t> longest_packet{};

  /// The name of the catalog entry that a section selects.
  const std::string& kind(const char* section) const {
    return configuration.section(section).text("kind");
  }
  /// Reports a problem with a key.
  void refuse(const char* section, const std::string& key, std::string what,
              std::string hint) const {
    problems.add(configuration.section(section).problem(key, std::move(what), std::move(hint)));
  }
};

/// The context in which a kind of router is configured: that of its queue priority.
using RouterContext = QueuePriorityContext;

/// The parts of a network. Everything passed by reference or pointer must outlive the network.
struct NetworkParts {
  const Topology& topology;
  const NetworkParams& params;
  PacketSource& source;
  /// The paths of packets; null where a central control connects inputs to outputs.
  const Routing* routing = nullptr;
  /// Destinations of multicasts under a central control; null for other networks.
  const DestinationGroups* groups = nullptr;
  /// One probe for each partition (FabricPlan::partition_count()), or none.
  std::vector<Probe*> probes{};
  /// The waveform to write, or null; only for implementations that have signals.
  const SignalTrace* trace = nullptr;
};

using NetworkMaker = std::unique_ptr<Network> (*)(const NetworkParts& parts);

/// A kind of router: its name for users, and the maker of its networks.
struct RouterEntry : CatalogEntry<NetworkMaker> {
  /// The capabilities of networks of this kind. A kind without buffers does not take the shared
  /// keys of routers with buffers.
  Capabilities can{};
  /// Adds to `params` the parameters given in the section `router`; throws ConfigError for invalid
  /// ones. Null if the kind has no parameters.
  void (*configure)(const Section& router, const RouterContext& context,
                    NetworkParams& params) = nullptr;
  /// A lower bound on the memory in bytes of a network of this size, before its topology is built;
  /// null if unknown.
  std::uint64_t (*least_memory)(const TopologySize& size, const NetworkParams& params) = nullptr;
  /// The approximate memory of the network in bytes; null if unknown.
  std::uint64_t (*memory_estimate)(const Topology& topology, const NetworkParams& params,
                                   OutputMode mode) = nullptr;
  /// The meanings of the figures written by Network::write_figures().
  std::vector<FigureMeaning> figures{};
  /// The cycles of a schedule in rounds whose messages have no given paths, under the central
  /// control of a Clos network; see circuit/central_control.h. Null: the time of packets applies.
  std::optional<std::uint64_t> (*round_cycles)(const ControlledRounds& rounds) = nullptr;
};

/// Completes an entry whose network is a Fabric of these cores.
/// @param configure  Sets NetworkParams::cores, in addition to the parameters of its keys.
RouterEntry fabric_entry(CatalogEntry<NetworkMaker> entry, const RouterCores& cores,
                         void (*configure)(const Section&, const RouterContext&, NetworkParams&));

/// The kinds of routers that can be named under router.kind.
Catalog<RouterEntry>& routers();
/// The kind of router that the configuration names.
const RouterEntry& router_of(const Configuration& configuration);

/// The keys of the section `router`: those of each kind in the catalog, and those shared by all
/// routers with buffers.
std::vector<Param> router_keys();
/// The keys of the section `link`.
std::vector<Param> link_keys();

/// The parameters given by the sections `router` and `link` and by the seed; all others have their
/// defaults. The entry of the router's kind adds the rest in configure().
NetworkParams network_params(const Configuration& configuration);

}  // namespace flitcast
