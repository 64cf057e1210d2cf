// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/builders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "collective/paths.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

NodeId node_at(Endpoint endpoint) { return NodeId{index(endpoint.router)}; }

bool by_receiver(const Channel& a, const Channel& b) {
  return index(a.to.router) < index(b.to.router);
}

class Relay {
 public:
  Relay(const Topology& topology, bool one_port, const RelayRule& rule)
      : topology_(topology),
        adjacency_(topology),
        one_port_(one_port),
        rule_(rule),
        informed_(topology.node_count(), false) {}

  Schedule run(NodeId source) {
    schedule_.reserve(topology_.node_count());
    inform(source, {}, 0);
    for (std::size_t round = 0; round < agenda_.size(); ++round) {
      std::vector<Channel> sends = std::move(agenda_[round]);
      schedule_.begin_round();
      for (const Channel& send : sends) {
        schedule_.add(node_at(send.from), node_at(send.to), ChunkId{0}, send.from.port);
      }
      receive(std::move(sends), round);
    }
    return std::move(schedule_);
  }

 private:
  // Lets the nodes that are new in this round decide, in the order of their numbers.
  void receive(std::vector<Channel> sends, std::size_t round) {
    std::stable_sort(sends.begin(), sends.end(), by_receiver);
    for (auto first = sends.begin(); first != sends.end();) {
      const auto last = std::upper_bound(first, sends.end(), *first, by_receiver);
      const NodeId node = node_at(first->to);
      if (!informed_[index(node)]) inform(node, {first, last}, round + 1);
      first = last;
    }
  }

  void inform(NodeId node, const std::vector<Channel>& arrivals, std::size_t next_round) {
    informed_[index(node)] = true;
    std::size_t round = next_round;
    for (const PortId output : rule_(node, arrivals)) {
      if (agenda_.size() <= round) agenda_.resize(round + 1);
      const std::uint32_t channel = adjacency_.leaving(RouterId{index(node)}, output);
      agenda_[round].push_back(topology_.channels()[channel]);
      if (one_port_) ++round;
    }
  }

  const Topology& topology_;
  const Adjacency adjacency_;
  const bool one_port_;
  const RelayRule& rule_;
  std::vector<bool> informed_;
  std::vector<std::vector<Channel>> agenda_;  // Per round, the channels to be used.
  Schedule schedule_;
};

}  // namespace

Schedule relay(const Topology& topology, NodeId source, bool one_port, const RelayRule& rule) {
  return Relay(topology, one_port, rule).run(source);
}

BroadcastBuilder::BroadcastBuilder(const Grid& grid, NodeId source)
    : grid_(grid), informed_(grid.node_count()) {
  informed_[index(source)] = true;
}

void BroadcastBuilder::send(NodeId from, NodeId to, Ties ties) {
  if (informed_[index(to)]) return;
  informed_[index(to)] = true;
  const std::uint8_t minus_ties = ties == Ties::kDownwards ? 0xFF : 0;
  schedule_.add(from, to, ChunkId{0}, dimension_order_path(grid_, from, to, false, minus_ties));
}

}  // namespace flitcast
