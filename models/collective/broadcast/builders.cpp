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

}  // namespace

Schedule relay(const Topology& topology, NodeId source, bool one_port, const RelayRule& rule) {
  const Adjacency adjacency(topology);
  std::vector<bool> informed(topology.node_count(), false);
  std::vector<std::vector<Channel>> agenda;  // By round: the channels to be used.
  const auto inform = [&](NodeId node, const std::vector<Channel>& arrivals, std::size_t round) {
    informed[index(node)] = true;
    for (const PortId output : rule(node, arrivals)) {
      if (agenda.size() <= round) agenda.resize(round + 1);
      const std::uint32_t channel = adjacency.leaving(RouterId{index(node)}, output);
      agenda[round].push_back(topology.channels()[channel]);
      if (one_port) ++round;
    }
  };
  Schedule schedule;
  schedule.reserve(topology.node_count());
  inform(source, {}, 0);
  for (std::size_t round = 0; round < agenda.size(); ++round) {
    std::vector<Channel> sends = std::move(agenda[round]);
    schedule.begin_round();
    for (const Channel& send : sends) {
      schedule.add(node_at(send.from), node_at(send.to), ChunkId{0}, send.from.port);
    }
    // Nodes that are informed in this round follow the rule in the order of their numbers.
    std::stable_sort(sends.begin(), sends.end(), by_receiver);
    for (auto first = sends.begin(); first != sends.end();) {
      const auto last = std::upper_bound(first, sends.end(), *first, by_receiver);
      const NodeId node = node_at(first->to);
      if (!informed[index(node)]) inform(node, {first, last}, round + 1);
      first = last;
    }
  }
  return schedule;
}

Schedule growing_broadcast(std::size_t nodes, NodeId source, std::size_t k) {
  Schedule schedule;
  const auto node = [&](std::size_t rank) { return to_id<NodeId>((index(source) + rank) % nodes); };
  for (std::size_t informed = 1; informed < nodes; informed *= k + 1) {
    schedule.begin_round();
    for (std::size_t to = informed; to < std::min(nodes, informed * (k + 1)); ++to) {
      const PortId output{static_cast<std::uint16_t>(to - to % informed - 1)};
      schedule.add(node(to % informed), node(to), ChunkId{0}, output);
    }
  }
  return schedule;
}

void BroadcastBuilder::send(NodeId from, NodeId to, Ties ties) {
  if (informed_[index(to)]) return;
  informed_[index(to)] = true;
  const std::uint8_t minus_ties = ties == Ties::kDownwards ? 0xFF : 0;
  schedule_.add(from, to, ChunkId{0}, dimension_order_path(grid_, from, to, false, minus_ties));
}

namespace {

/// The number of `places` places on one side of an owner that belong to the part next to the owner.
std::int64_t near_share(std::int64_t places, int parts_per_side) {
  return (places + parts_per_side - 1) / parts_per_side;
}

}  // namespace

Strip centred_strip(std::int64_t first, std::int64_t size) {
  return {first + (size - 1) / 2, (size - 1) / 2, size / 2};
}

std::vector<HandedStrip> split(Strip& strip, int parts_per_side) {
  const std::int64_t parts = 2 * parts_per_side + 1;
  const std::int64_t width = (strip.size() + parts - 1) / parts;
  const Strip middle{strip.owner, std::min(strip.below, (width - 1) / 2),
                     std::min(strip.above, width / 2)};

  std::vector<HandedStrip> handed;
  const auto hand_over = [&handed](std::int64_t first, std::int64_t size, bool far) {
    if (size > 0) handed.push_back({centred_strip(first, size), far});
  };
  const std::int64_t above = strip.above - middle.above;
  const std::int64_t near_above = near_share(above, parts_per_side);
  const std::int64_t first_above = strip.owner + middle.above + 1;
  hand_over(first_above, near_above, false);
  hand_over(first_above + near_above, above - near_above, true);

  const std::int64_t below = strip.below - middle.below;
  const std::int64_t near_below = near_share(below, parts_per_side);
  const std::int64_t first_below = strip.owner - strip.below;
  hand_over(first_below + below - near_below, near_below, false);
  hand_over(first_below, below - near_below, true);

  strip = middle;
  return handed;
}

RingTask ring_task(const Grid& grid, std::size_t dimension, NodeId owner,
                   const std::vector<NodeId>& targets) {
  const auto steps = [&](NodeId node) { return shortest_steps(grid, dimension, owner, node); };
  RingTask task{targets, 0};
  task.nodes.push_back(owner);
  sort_by(task.nodes, steps);
  task.nodes.erase(std::unique(task.nodes.begin(), task.nodes.end()), task.nodes.end());
  task.owner = index_of(task.nodes, owner);
  return task;
}

namespace {

/// A ring task and a strip of its nodes.
struct Share {
  const RingTask* task;
  Strip strip;

  NodeId owner() const { return task->nodes[static_cast<std::size_t>(strip.owner)]; }
};

}  // namespace

void split_rings(BroadcastBuilder& broadcast, const std::vector<RingTask>& tasks) {
  std::vector<Share> shares = mapped(tasks, [](const RingTask& task) {
    const auto below = static_cast<std::int64_t>(task.owner);
    const auto size = static_cast<std::int64_t>(task.nodes.size());
    return Share{&task, {below, below, size - 1 - below}};
  });
  split_strips(broadcast, shares, 1, [&](const Share& share, const HandedStrip& part) {
    const Share handed{share.task, part.strip};
    const bool up = part.strip.owner > share.strip.owner;
    broadcast.send(share.owner(), handed.owner(), up ? Ties::kUpwards : Ties::kDownwards);
    return handed;
  });
}

}  // namespace flitcast
