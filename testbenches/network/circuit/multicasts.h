// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "base/random.h"

namespace flitcast {

/// Returns `count` distinct nodes of 0 .. nodes - 1.
inline std::vector<NodeId> random_nodes(Random& random, std::size_t nodes, std::size_t count) {
  std::vector<NodeId> all;
  for (std::uint32_t node = 0; node < nodes; ++node) all.push_back(NodeId{node});
  for (std::size_t t = 0; t < count; ++t) std::swap(all[t], all[t + random.below(nodes - t)]);
  all.resize(count);
  return all;
}

/// A finite number of random packets to random sets of nodes, which may include the sender. Each
/// set is a destination group only while its packet is in flight.
class RandomMulticasts : public PacketSource {
 public:
  struct Params {
    unsigned packets_per_node = 20;
    unsigned longest = 7;      ///< Maximum of flits per packet.
    unsigned longest_gap = 1;  ///< Cycles from packet to packet.
    std::size_t most_receivers = 4;
  };

  RandomMulticasts(std::shared_ptr<DestinationGroups> groups, const Params& params)
      : params_(params), groups_(std::move(groups)) {
    for (std::size_t n = 0; n < groups_->nodes(); ++n) {
      nodes_.push_back({Random::stream(3, n), params.packets_per_node, {}});
    }
  }

  Cycle first(NodeId node) override {
    return Cycle{nodes_[index(node)].random.below(params_.longest_gap)};
  }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& state = nodes_[index(node)];
    const std::size_t most = std::min(params_.most_receivers, nodes_.size());
    const std::size_t receivers = 1 + state.random.below(most);
    PacketRequest request;
    request.destination = groups_->add(random_nodes(state.random, nodes_.size(), receivers));
    request.length = static_cast<std::uint32_t>(1 + state.random.below(params_.longest));
    packets.push_back(request);
    return --state.left == 0 ? kNever : now + 1 + state.random.below(params_.longest_gap);
  }

  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>&) override {
    std::uint32_t& arrived = nodes_[index(delivery.packet.source)].arrived;
    if (++arrived < delivery.packet.receivers) return;
    arrived = 0;  // A terminal sends one packet after another.
    groups_->remove(delivery.packet.destination);
  }
  void dropped(const Packet& packet, Cycle, std::vector<WakeUp>&) override {
    groups_->remove(packet.destination);
  }

 private:
  struct Node {
    Random random;
    unsigned left;
    std::uint32_t arrived;
  };
  const Params params_;
  std::shared_ptr<DestinationGroups> groups_;
  std::vector<Node> nodes_;
};

}  // namespace flitcast
