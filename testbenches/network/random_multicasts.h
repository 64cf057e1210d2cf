// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "base/random.h"

namespace flitcast {

/// Every node sends packets of random lengths to random sets of nodes, with random gaps.
class RandomMulticasts : public PacketSource {
 public:
  struct Params {
    std::uint64_t seed = 1;
    unsigned packets_per_node = 20;
    unsigned most_receivers = 4;
    unsigned longest = 6;
    unsigned longest_gap = 20;
  };

  /// `groups` must outlive the source.
  RandomMulticasts(DestinationGroups& groups, const Params& params)
      : groups_(groups), params_(params) {
    for (std::size_t node = 0; node < groups.nodes(); ++node) {
      nodes_.push_back({Random::stream(params.seed, node), params.packets_per_node});
    }
  }

  Cycle first(NodeId node) override {
    return Cycle{nodes_[index(node)].random.below(params_.longest_gap)};
  }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& state = nodes_[index(node)];
    const std::vector<NodeId> members = draw_members(state.random);
    PacketRequest request;
    request.receivers = static_cast<std::uint32_t>(members.size());
    request.destination = groups_.add(members);
    request.length = static_cast<std::uint32_t>(1 + state.random.below(params_.longest));
    deliveries_ += members.size();
    packets.push_back(request);
    return --state.left == 0 ? kNever : now + 1 + state.random.below(params_.longest_gap);
  }

  /// Number of deliveries of all packets created so far.
  std::size_t deliveries() const { return deliveries_; }

 private:
  struct Node {
    Random random;
    unsigned left;
  };

  std::vector<NodeId> draw_members(Random& random) const {
    const std::size_t nodes = groups_.nodes();
    const std::size_t count =
        1 + random.below(std::min<std::size_t>(params_.most_receivers, nodes));
    std::vector<NodeId> members(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) members[node] = NodeId{node};
    for (std::size_t place = 0; place < count; ++place) {
      std::swap(members[place], members[place + random.below(nodes - place)]);
    }
    members.resize(count);
    return members;
  }

  DestinationGroups& groups_;
  const Params params_;
  std::vector<Node> nodes_;
  std::size_t deliveries_ = 0;
};

}  // namespace flitcast
