// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "base/probe.h"
#include "base/random.h"

namespace flitcast {

/// Creates the packets of a list, each in its cycle.
class ScriptSource : public PacketSource {
 public:
  explicit ScriptSource(std::size_t nodes) : scripts_(nodes) {}

  /// Adds a packet; the cycles of each node must be in ascending order.
  void add(Cycle cycle, NodeId source, const PacketRequest& request) {
    scripts_[index(source)].entries.push_back({cycle, request});
  }

  Cycle first(NodeId node) override { return next(scripts_[index(node)]); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Script& script = scripts_[index(node)];
    while (next(script) == now) packets.push_back(script.entries[script.done++].second);
    return next(script);
  }

 private:
  struct Script {
    std::vector<std::pair<Cycle, PacketRequest>> entries;
    std::size_t done = 0;
  };
  static Cycle next(const Script& script) {
    return script.done < script.entries.size() ? script.entries[script.done].first : kNever;
  }

  std::vector<Script> scripts_;
};

/// A finite number of random packets to any node, including the sender, of `shortest` to `longest`
/// flits, one every 1 to `longest_gap` cycles.
class FiniteTraffic : public PacketSource {
 public:
  struct Params {
    unsigned packets_per_node = 30;
    unsigned longest = 7;
    unsigned longest_gap = 1;
    unsigned shortest = 1;
  };

  FiniteTraffic(std::size_t nodes, const Params& params) : params_(params) {
    for (std::size_t n = 0; n < nodes; ++n) {
      nodes_.push_back({Random::stream(1, n), params.packets_per_node});
    }
  }

  Cycle first(NodeId node) override {
    return Cycle{nodes_[index(node)].random.below(params_.longest_gap)};
  }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& state = nodes_[index(node)];
    const NodeId destination{static_cast<std::uint32_t>(state.random.below(nodes_.size()))};
    const std::uint64_t lengths = params_.longest + 1 - params_.shortest;
    const auto length = static_cast<std::uint32_t>(params_.shortest + state.random.below(lengths));
    packets.push_back({destination, length, now - Cycle{0}});
    return --state.left == 0 ? kNever : now + 1 + state.random.below(params_.longest_gap);
  }

 private:
  struct Node {
    Random random;
    unsigned left;
  };
  const Params params_;
  std::vector<Node> nodes_;
};

/// Keeps every delivery of a partition.
class Recorder : public Probe {
 public:
  void delivered(const Delivery& delivery) override { deliveries.push_back(delivery); }
  std::vector<Delivery> deliveries;
};

}  // namespace flitcast
