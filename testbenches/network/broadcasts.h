// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/packet_source.h"
#include "base/random.h"
#include "network/networks.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Broadcast by the routers of a hypercube, along the binomial tree of the source: a packet that
/// arrives across bit d is sent across every higher bit, and to the node. Copies only go to higher
/// bits, so stored packets cannot deadlock. Trees that hold channels from head to tail can, unless
/// each has VCs of its own: a tree uses the VC with the number of the packet's destination modulo
/// the number of VCs, and the source is free to choose the destination.
class BinomialTrees : public Routing {
 public:
  BinomialTrees(const Hypercube& cube, unsigned virtual_channels)
      : dimension_(cube.dimension()), virtual_channels_(virtual_channels) {}

  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override {
    const std::size_t from = index(request.input);
    const bool injected = from >= dimension_;  // The node's ports follow all others.
    const VcSet vcs = vcs_of(request.destination);
    for (std::size_t d = injected ? 0 : from + 1; d < dimension_; ++d) {
      branches.add({PortId{static_cast<std::uint16_t>(d)}, vcs, 0});
    }
    if (!injected) branches.add({PortId{static_cast<std::uint16_t>(dimension_)}, vcs, 0});
  }
  Route route(const RouteRequest&) const override { return {}; }
  VcSet injection_vcs(NodeId, NodeId destination) const override { return vcs_of(destination); }

 private:
  VcSet vcs_of(NodeId tree) const { return VcSet{1} << index(tree) % virtual_channels_; }

  std::size_t dimension_;
  unsigned virtual_channels_;
};

inline RoutedNetwork broadcast_network(std::size_t dimension, unsigned virtual_channels,
                                       std::size_t node_ports = 1) {
  const Hypercube cube(dimension);
  RoutedNetwork network{std::make_unique<Hypercube>(cube),
                        std::make_unique<BinomialTrees>(cube, virtual_channels)};
  network.topology->widen_nodes(node_ports);
  return network;
}

/// Every node broadcasts packets of random lengths to all others, with random gaps.
class Broadcasts : public PacketSource {
 public:
  struct Params {
    unsigned packets_per_node = 10;
    unsigned longest = 6;
    unsigned longest_gap = 20;
    int surplus = 0;  ///< Receivers claimed by packets in excess of the real ones.
  };

  Broadcasts(std::size_t nodes, const Params& params) : params_(params) {
    for (std::size_t n = 0; n < nodes; ++n) {
      nodes_.push_back({Random::stream(2, n), params.packets_per_node});
    }
  }

  Cycle first(NodeId node) override {
    return Cycle{nodes_[index(node)].random.below(params_.longest_gap)};
  }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& state = nodes_[index(node)];
    PacketRequest request;
    request.destination = node;  // Identifies the tree.
    request.length = static_cast<std::uint32_t>(1 + state.random.below(params_.longest));
    request.receivers =
        static_cast<std::uint32_t>(static_cast<int>(nodes_.size()) - 1 + params_.surplus);
    packets.push_back(request);
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

}  // namespace flitcast
