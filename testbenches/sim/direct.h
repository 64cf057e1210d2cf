// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "collective/demand.h"
#include "collective/forwarding/forwarding.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/clos.h"
#include "topology/topology.h"
#include "traffic/collective_player.h"
#include "traffic/pattern.h"

namespace flitcast {

/// A network with its traffic, specified part by part in C++ as an experiment specifies it in YAML,
/// without reading a file.
struct Parts {
  /// Random packets, or multicasts if fan_out is not 0.
  struct Traffic {
    std::function<std::unique_ptr<Pattern>(std::size_t nodes)> pattern = [](std::size_t nodes) {
      return std::make_unique<Uniform>(nodes);
    };
    std::string injection = "bernoulli";
    std::map<std::string, nlohmann::json> injection_keys{{"load", 0.4}};
    std::vector<std::uint32_t> lengths{5};
    std::vector<double> weights{1};
    std::size_t fan_out = 0;
  };
  /// A collective operation by an algorithm of the catalog.
  struct Operation {
    std::string algorithm;
    std::map<std::string, nlohmann::json> keys{};  ///< Keys of the algorithm.
    flitcast::Operation operation = flitcast::Operation::kBroadcast;
    std::uint32_t source = 0;
    std::vector<NodeId> receivers{};
    std::vector<NodeId> nodes{};  ///< Nodes of the ranks; empty: rank r is at node r.
    bool all_ports = false;
    std::uint32_t length = 16;
    SchedulePlayer::Timing timing = SchedulePlayer::Timing::kRounds;
    std::uint64_t startup = 0;  ///< ts of the cost model.
  };

  using MakeTopology = std::function<std::unique_ptr<Topology>()>;
  using MakeRouting =
      std::function<std::unique_ptr<Routing>(const Topology& topology, std::size_t channels)>;
  using MakeForwarding =
      std::function<RouterForwarding(const Topology& topology, std::size_t channels)>;
  enum class Control { kNone, kPackets, kCircuits };

  MakeTopology topology{};
  std::size_t node_ports = 1;
  NetworkParams params{};
  Control control = Control::kNone;  ///< params.circuits has its strategy and limits.
  MakeRouting routing{};             ///< Routing of a network without control.
  MakeForwarding forwarding{};       ///< Routing of operations that routers carry out.
  std::uint64_t seed = 1;            ///< Seed of the traffic.
  Traffic traffic{};
  Operation operation{};  ///< Replaces the traffic if it has an algorithm.
};

/// Returns a maker of copies of this topology, for Parts::topology.
template <class Kind>
Parts::MakeTopology topology_of(const Kind& topology) {
  return [topology] { return std::make_unique<Kind>(topology); };
}

/// Builds the network in a new kernel, runs it for `cycles` cycles, and returns the checksum of its
/// deliveries.
std::string checksum_of(const Parts& parts, std::uint64_t cycles);

/// A packet as its source creates it.
struct Wish {
  Cycle cycle{};
  NodeId source{};
  PacketRequest request{};
};

/// Returns the packets that the traffic creates in cycles 0 .. cycles - 1, node by node,
/// independent of the network.
std::vector<Wish> wishes_of(const Parts& parts, std::uint64_t cycles);

}  // namespace flitcast
