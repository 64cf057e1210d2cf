// SPDX-License-Identifier: Apache-2.0
#include "collective/cost.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collective/precondition.h"
#include "topology/adjacency.h"

namespace flitcast {

std::vector<std::uint32_t> distances_from(NodeId source, const Topology& topology,
                                          const Adjacency& adjacency) {
  const RouterId start = topology.attachment(source).injection.router;
  const auto to_routers = distances_to_routers(start, topology, adjacency);
  std::vector<std::uint32_t> to_nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    to_nodes.push_back(to_routers[index(topology.attachment(NodeId{node}).ejection.router)]);
    if (to_nodes.back() != kUnreached) continue;
    throw *violated("no path leads from node " + std::to_string(index(source)) + " to node " +
                        std::to_string(node) + " of " + topology.name(),
                    "use a connected network");
  }
  return to_nodes;
}

namespace {

/// By node: the number of channels, at most `limit`, that leave or reach its router.
struct Ports {
  std::vector<std::size_t> out;
  std::vector<std::size_t> in;
};

Ports count_ports(const Topology& topology, std::size_t limit) {
  std::vector<std::size_t> leaving(topology.router_count());
  std::vector<std::size_t> arriving(topology.router_count());
  for (const Channel& channel : topology.channels()) {
    ++leaving[index(channel.from.router)];
    ++arriving[index(channel.to.router)];
  }
  Ports ports;
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    const Attachment& attachment = topology.attachment(NodeId{n});
    ports.out.push_back(std::min(limit, leaving[index(attachment.injection.router)]));
    ports.in.push_back(std::min(limit, arriving[index(attachment.ejection.router)]));
  }
  return ports;
}

std::size_t fewest(const std::vector<std::size_t>& ports) {
  return *std::min_element(ports.begin(), ports.end());
}

/// Returns the better of two bounds, or the first if they are equal.
LowerBound better(const LowerBound& a, const LowerBound& b) { return b.rounds > a.rounds ? b : a; }

/// The bound ceil(work / capacity) rounds, because a round does at most `capacity` of the work.
LowerBound by_work(std::size_t work, std::size_t capacity, const std::string& what) {
  if (work == 0) return {0, "nothing to send"};
  if (capacity == 0) throw std::invalid_argument("a node without ports takes part in nothing");
  return {(work + capacity - 1) / capacity,
          "ceil(" + std::to_string(work) + " / " + std::to_string(capacity) + "): " + what};
}

LowerBound by_doubling(const Topology& topology, const Ports& ports) {
  const std::size_t base = *std::max_element(ports.out.begin(), ports.out.end()) + 1;
  return {topology.node_count() == 1 ? 0 : ceil_log(base, topology.node_count()),
          "ceil(log_" + std::to_string(base) + " N)"};
}

LowerBound by_all_distances(const Topology& topology, const Ports& ports,
                            const Discipline& discipline) {
  const Adjacency adjacency(topology);
  std::size_t hops = 0;
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    const auto distance = distances_from(NodeId{n}, topology, adjacency);
    hops = std::accumulate(distance.begin(), distance.end(), hops);
  }
  // A k-port node starts k hops a round under store-and-forward; under wormhole switching one
  // message makes many hops.
  const bool one_hop = discipline.switching == Switching::kStoreAndForward;
  const std::size_t usable =
      one_hop ? std::accumulate(ports.out.begin(), ports.out.end(), std::size_t{0})
              : topology.channels().size();
  return by_work(hops, usable, "hops over the channels of a round");
}

/// The bound for messages without paths, one at a time at a node.
LowerBound one_at_a_time(const Demand& demand, const Discipline& discipline) {
  LowerBound by_doubling{ceil_log(2, demand.nodes), "what a node knows at most doubles"};
  if (demand.informed() == 0) return {0, "there is no other node"};
  switch (demand.operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      if (discipline.multicast) return {1, "one message"};
      return {ceil_log(2, demand.informed() + 1), "holders of the chunk at most double"};
    case Operation::kScatter:
    case Operation::kGather:
    case Operation::kGossip:
    case Operation::kAllToAllScatter:
      if (discipline.combining) return by_doubling;
      return {demand.nodes - 1, "one chunk at a time at a node"};
    default:
      return by_doubling;
  }
}

}  // namespace

std::size_t ceil_log(std::size_t base, std::size_t n) {
  if (base < 2 || n < 1) throw std::invalid_argument("ceil_log needs a base >= 2 and n >= 1");
  std::size_t exponent = 0;
  for (std::size_t rest = n; rest > 1; rest = (rest - 1) / base + 1) ++exponent;
  return exponent;
}

std::size_t eccentricity(const Topology& topology, NodeId source) {
  require(source_exists(topology, source));
  const auto distance = distances_from(source, topology, Adjacency(topology));
  return *std::max_element(distance.begin(), distance.end());
}

LowerBound lower_bound(const Topology& topology, const Demand& demand,
                       const Discipline& discipline) {
  require(source_exists(topology, demand.source));
  if (discipline.switching == Switching::kAnyNetwork) {
    return one_at_a_time(demand, discipline);
  }
  const Ports ports = count_ports(topology, discipline.ports);
  const std::size_t others = topology.node_count() - 1;
  LowerBound bound;
  switch (demand.operation) {
    case Operation::kBroadcast:
    // The reverse of a broadcast; a sum for all nodes takes at least as many rounds.
    case Operation::kReduce:
    case Operation::kAllReduce:
    case Operation::kBarrier:
      bound = by_doubling(topology, ports);
      break;
    case Operation::kGossip:
      return by_work(demand.chunks_per_node * others, fewest(ports.in),
                     "chunks that a node must receive over its ports");
    case Operation::kScatter:
      bound = by_work(others, ports.out[index(demand.source)],
                      "chunks that the source must send over its ports");
      break;
    case Operation::kAllToAllScatter:
      return better(
          by_all_distances(topology, ports, discipline),
          by_work(others, fewest(ports.out), "chunks that a node must send over its ports"));
    default:
      return {0, "none is known"};
  }
  if (discipline.switching == Switching::kWormhole) return bound;
  return better({eccentricity(topology, demand.source), "eccentricity of the source"}, bound);
}

std::uint32_t item_length(const Demand& demand, ChunkId item, std::uint32_t length) {
  if (demand.operation == Operation::kBarrier) return 1;
  const std::uint64_t blocks = demand.blocks();
  if (blocks == 1) return length;
  const std::uint64_t block = is_sum(item) ? block_of(item) : index(item);
  return static_cast<std::uint32_t>((block + 1) * length / blocks - block * length / blocks);
}

std::uint32_t message_length(const Demand& demand, const Items& items, std::uint32_t length) {
  std::uint32_t flits = 0;
  for (const ChunkId item : items) flits += item_length(demand, item, length);
  return std::max(flits, std::uint32_t{1});
}

std::uint32_t longest_message(const Demand& demand, const Schedule& schedule,
                              std::uint32_t length) {
  if (schedule.size() == 0) return length;
  std::uint32_t longest = 0;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    longest = std::max(longest, message_length(demand, schedule.items(m), length));
  }
  return longest;
}

std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops) {
  const std::uint64_t body = cost.length * cost.flit;
  if (switching == Switching::kWormhole) return cost.startup + hops * cost.hop + body;
  return cost.startup + hops * (cost.hop + body);
}

std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Verification& verification) {
  std::uint64_t cycles = 0;
  for (std::size_t round = 0; round < verification.rounds; ++round) {
    const std::size_t hops = verification.longest_path_per_round[round];
    if (hops > 0) cycles += message_cycles(cost, switching, hops);
  }
  return cycles;
}

std::optional<std::uint64_t> analytic_cycles(const CostModel& cost, Switching switching,
                                             const Demand& demand, const Schedule& schedule,
                                             const MessagePaths& paths,
                                             const Verification& verification) {
  if (std::count(paths.hops.begin(), paths.hops.end(), 0U) != 0) return std::nullopt;
  if (verification.rounds == 0) return 0;
  const auto time_of = [&](std::size_t message) {
    CostModel message_cost = cost;
    message_cost.length =
        message_length(demand, schedule.items(message), static_cast<std::uint32_t>(cost.length));
    return message_cycles(message_cost, switching, paths.hops[message]);
  };
  // A node cannot detect whether a sum is new to it, so all sums of the last round count.
  const std::size_t whole_rounds = verification.rounds - (demand.adds_up() ? 0 : 1);
  std::uint64_t cycles = 0;
  for (std::size_t round = 0; round < whole_rounds; ++round) {
    std::uint64_t slowest = 0;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      slowest = std::max(slowest, time_of(m));
    }
    cycles += slowest;
  }
  if (demand.adds_up()) return cycles;
  std::uint64_t slowest = 0;
  for (const std::size_t m : verification.last_news) slowest = std::max(slowest, time_of(m));
  return cycles + slowest;
}

}  // namespace flitcast
