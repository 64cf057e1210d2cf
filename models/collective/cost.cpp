// SPDX-License-Identifier: Apache-2.0
#include "collective/cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/precondition.h"
#include "routing/catalog.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

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

LowerBound by_all_distances(const Topology& topology, const Ports& ports,
                            const Discipline& discipline) {
  const Adjacency adjacency(topology);
  const auto hops = sum_of<std::size_t>(topology.nodes(), [&](NodeId node) {
    return sum_of<std::size_t>(distances_from(node, topology, adjacency));
  });
  // A k-port node starts k hops a round under store-and-forward; under wormhole switching one
  // message makes many hops.
  const bool one_hop = discipline.switching == Switching::kStoreAndForward;
  const std::size_t usable = one_hop ? sum_of<std::size_t>(ports.out) : topology.channels().size();
  return by_work(hops, usable, "hops over the channels of a round");
}

/// The eccentricity of the source, and the delays at a source with one port.
LowerBound by_distance(const Topology& topology, const Demand& demand, const Discipline& machine) {
  const auto distance = distances_from(demand.source, topology, Adjacency(topology));
  const std::size_t longest = *std::max_element(distance.begin(), distance.end());
  const auto farthest = std::count(distance.begin(), distance.end(), longest);
  const char* const reason = "eccentricity of the source";
  if (machine.ports > 1 || farthest == 1) return {longest, reason};
  const bool flat = is_mesh(topology) && topology.node_grid().size() == 2;
  const std::size_t delays = flat && farthest == 4 ? 2 : 1;
  return {longest + delays, std::string(reason) + ", and one port for " + std::to_string(farthest) +
                                " farthest nodes"};
}

/// The channels between the routers of the source and of the farthest node, and one at either end.
LowerBound through_routers(const Topology& topology, const Demand& demand) {
  const bool all = demand.nodes == topology.node_count();
  if (!all || demand.operation == Operation::kMulticast) {
    return {2, "into a router, and out of it"};
  }
  const auto distance = distances_from(demand.source, topology, Adjacency(topology));
  return {2 + *std::max_element(distance.begin(), distance.end()),
          "eccentricity of the source, and a channel at either end"};
}

/// The largest number of messages that a node sends, and receives, in a round.
std::size_t most_ports(const Topology& topology, std::size_t limit) {
  if (nodes_sit_at_routers(topology)) return std::clamp<std::size_t>(degree(topology), 1, limit);
  return limit == kAllPorts ? most_router_ports(topology) : limit;
}

/// True if dimension-ordered routing keeps an all-port broadcast of `rounds` rounds from reaching
/// all nodes, although they are no more than (ports + 1)^rounds; see lower_bound().
bool are_too_few(const Topology& topology, std::size_t ports, std::size_t rounds) {
  const auto power = [&](std::size_t base) { return std::pow(base, rounds); };
  const auto nodes = static_cast<double>(topology.node_count());
  if (topology_as<Hypercube>(topology) != nullptr) {
    return power(ports + 1) - power(ports - 1) < nodes;
  }
  const auto* grid = topology_as<Grid>(topology);
  if (grid == nullptr || ports != 2 * grid->dimensions()) return false;
  const std::vector<std::size_t> sizes = grid->node_grid();
  const auto line = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  return power(ports + 1) - std::max(0.0, power(3) - line) < nodes;
}

/// The bound by the growth of the number of nodes that are informed, or of which a node knows.
LowerBound by_growth(const Topology& topology, const Demand& demand, const Discipline& machine,
                     bool dimension_ordered) {
  const bool multicast = demand.operation == Operation::kMulticast;
  const bool one_chunk = multicast || demand.operation == Operation::kBroadcast;
  const bool spreads = one_chunk || demand.operation == Operation::kScatter;
  const std::size_t nodes = spreads ? demand.informed() + 1 : demand.nodes;
  if (nodes == 1) return {0, "there is no other node"};
  if (spreads && machine.multicast) return {1, "one message"};
  const std::size_t ports = most_ports(topology, machine.ports);
  const std::string log =
      "ceil(log_" + std::to_string(ports + 1) + (multicast ? " (g + 1))" : " N)");
  LowerBound bound{ceil_log(ports + 1, nodes), log};
  if (machine.switching == Switching::kAnyNetwork && ports == 1) {
    bound.reason =
        one_chunk ? "holders of the chunk at most double" : "what a node knows at most doubles";
  }
  const bool all_at_once = machine.ports == kAllPorts && !multicast && one_chunk;
  if (!all_at_once || !dimension_ordered || nodes < topology.node_count()) return bound;
  for (; are_too_few(topology, ports, bound.rounds); ++bound.rounds) {
    bound.reason = "more than " + log + " under dimension-ordered routing";
  }
  return bound;
}

}  // namespace

std::size_t ceil_log(std::size_t base, std::size_t n) {
  if (base < 2 || n < 1) throw std::invalid_argument("ceil_log needs a base >= 2 and n >= 1");
  std::size_t exponent = 0;
  for (std::size_t rest = n; rest > 1; rest = (rest - 1) / base + 1) ++exponent;
  return exponent;
}

LowerBound lower_bound(const Topology& topology, const Demand& demand, const Discipline& machine,
                       bool dimension_ordered) {
  require(source_exists(topology, demand.source));
  const bool one_hop = machine.switching == Switching::kStoreAndForward;
  if (machine.switching == Switching::kThroughRouters && demand.informed() > 0) {
    return through_routers(topology, demand);
  }
  LowerBound bound = by_growth(topology, demand, machine, dimension_ordered && !one_hop);
  if (machine.switching == Switching::kAnyNetwork) return bound;
  const Ports ports = count_ports(topology, machine.ports);
  const std::size_t others = topology.node_count() - 1;
  switch (demand.operation) {
    case Operation::kGossip:
      return by_work(demand.chunks_per_node * others, fewest(ports.in),
                     "chunks that a node must receive over its ports");
    case Operation::kAllToAllScatter:
      return better(
          by_all_distances(topology, ports, machine),
          by_work(others, fewest(ports.out), "chunks that a node must send over its ports"));
    case Operation::kScatter:
      bound = by_work(others, ports.out[index(demand.source)],
                      "chunks that the source must send over its ports");
      break;
    case Operation::kBroadcast:
    // The reverse of a broadcast; a sum for all nodes takes at least as many rounds.
    case Operation::kReduce:
    case Operation::kAllReduce:
    case Operation::kBarrier:
      break;
    default:
      return bound;
  }
  return one_hop ? better(by_distance(topology, demand, machine), bound) : bound;
}

std::uint64_t item_length(const Demand& demand, ChunkId item, std::uint64_t length) {
  if (demand.operation == Operation::kBarrier) return 1;
  const std::uint64_t blocks = demand.blocks();
  if (blocks == 1) return length;
  const std::uint64_t block = is_sum(item) ? block_of(item) : index(item);
  return (block + 1) * length / blocks - block * length / blocks;
}

std::uint64_t message_length(const Demand& demand, const Items& items, std::uint64_t length) {
  return std::max<std::uint64_t>(1, sum_of<std::uint64_t>(items, [&](const ChunkId item) {
                                   return item_length(demand, item, length);
                                 }));
}

std::uint64_t longest_message(const Demand& demand, const Schedule& schedule,
                              std::uint64_t length) {
  if (schedule.size() == 0) return length;
  return largest_of<std::uint64_t>(numbers(schedule.size()), [&](std::size_t m) {
    return message_length(demand, schedule.items(m), length);
  });
}

std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops) {
  const std::uint64_t body = cost.length * cost.flit;
  if (switching == Switching::kWormhole) return cost.startup + hops * cost.hop + body;
  return cost.startup + hops * cost.hop + std::max<std::uint64_t>(hops, 1) * body;
}

std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Verification& verification) {
  return sum_of<std::uint64_t>(numbers(verification.rounds), [&](std::size_t round) {
    const std::size_t hops = verification.longest_path_per_round[round];
    return hops > 0 ? message_cycles(cost, switching, hops) : 0;
  });
}

std::uint64_t analytic_cycles(const CostModel& cost, Switching switching, const Demand& demand,
                              const Schedule& schedule, const MessagePaths& paths,
                              const Verification& verification, bool in_turn) {
  if (verification.rounds == 0) return 0;
  const auto cost_of = [&](std::size_t message) {
    CostModel own = cost;
    own.length = message_length(demand, schedule.items(message), cost.length);
    return own;
  };
  const auto time_of = [&](std::size_t message) {
    return message_cycles(cost_of(message), switching, paths.hops[message]);
  };
  const auto messages_of = [&](std::size_t round) {
    return numbers(schedule.begin(round), schedule.end(round));
  };
  // The time for which other messages of the round hold a channel.
  const auto wait_in = [&](std::size_t round) -> std::uint64_t {
    if (!in_turn || paths.load_per_round[round] < 2) return 0;
    const auto longest = largest_of<std::uint64_t>(
        messages_of(round), [&](std::size_t m) { return cost_of(m).length; });
    return (paths.load_per_round[round] - 1) * longest * cost.flit;
  };
  // A node cannot detect whether a sum is new to it, so all sums of the last round count.
  const std::size_t whole_rounds = verification.rounds - (demand.adds_up() ? 0 : 1);
  const auto cycles = sum_of<std::uint64_t>(numbers(whole_rounds), [&](std::size_t round) {
    return largest_of<std::uint64_t>(messages_of(round), time_of) + wait_in(round);
  });
  if (demand.adds_up()) return cycles;
  return cycles + largest_of<std::uint64_t>(verification.last_news, time_of) +
         wait_in(whole_rounds);
}

}  // namespace flitcast
