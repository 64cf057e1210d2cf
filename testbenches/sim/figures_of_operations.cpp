// SPDX-License-Identifier: Apache-2.0
// Figures of collective operations and of random multicasts.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/random.h"
#include "clos/catalog.h"
#include "direct.h"
#include "figure_paths.h"
#include "support/test_catch.h"

namespace flitcast::program {
namespace {

/// Groups packets by round: a round starts for all nodes at once, so its packets have one cycle of
/// creation.
std::vector<Packets> rounds_of(const Packets& packets) {
  std::map<std::uint64_t, Packets> rounds;
  for (const LoggedPacket& packet : packets) rounds[packet.created].push_back(packet);
  std::vector<Packets> list;
  for (const auto& [cycle, of_round] : rounds) list.push_back(of_round);
  return list;
}

/// Returns the number of newly informed nodes per round; node 0 is informed from the start.
std::vector<std::uint64_t> new_per_round(const Packets& packets) {
  std::set<std::uint32_t> informed{0};
  std::vector<std::uint64_t> counts;
  for (const Packets& round : rounds_of(packets)) {
    const std::size_t before = informed.size();
    for (const LoggedPacket& packet : round) informed.insert(packet.destination);
    counts.push_back(informed.size() - before);
  }
  return counts;
}

std::uint64_t duplicates(const Packets& packets) {
  std::set<std::uint32_t> informed{0};
  for (const LoggedPacket& packet : packets) informed.insert(packet.destination);
  return packets.size() + 1 - informed.size();
}

/// Returns the longest path per round in channels, which is one fewer than its routers.
std::vector<std::uint64_t> longest_path_per_round(const Packets& packets) {
  std::vector<std::uint64_t> longest;
  for (const Packets& round : rounds_of(packets)) {
    const auto hops = each(round, [](const LoggedPacket& packet) { return packet.hops; });
    longest.push_back(*std::max_element(hops.begin(), hops.end()) - 1);
  }
  return longest;
}

std::uint64_t until_last_arrival(const Packets& packets) { return packets.back().arrived + 1; }

}  // namespace

// The experiment sends messages of 16 flits through wormhole routers, with ts = 20, td = 4 + 2, tm
// = 2.
FigureGroup chain() {
  const auto analytic = of_packets([](const Packets& packets) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t path : longest_path_per_round(packets)) {
      cycles += 20 + path * (4 + 2) + 16 * 2;
    }
    return cycles;
  });
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: broadcast, algorithm: chain_halving, length: 16}",
           "{watchdog: 2000}", "link: {latency: 2, cycles_per_flit: 2}\nnode: {startup: 20}"},
          {{"completion_cycle", of_packets(until_last_arrival)},
           {"collective.algorithm", always("chain_halving")},
           {"collective.rounds",
            of_packets([](const Packets& packets) { return rounds_of(packets).size(); })},
           {"collective.transmissions",
            of_packets([](const Packets& packets) { return packets.size(); })},
           {"collective.duplicates", of_packets(duplicates)},
           {"collective.lower_bound_rounds", always(4)},  // 2^4 = 16 nodes.
           {"collective.lower_bound_reason", always("ceil(log_2 N)")},
           {"collective.new_per_round", of_packets(new_per_round)},
           {"collective.longest_path_per_round", of_packets(longest_path_per_round)},
           {"collective.cost_cycles.ts", always(20)},
           {"collective.cost_cycles.td", always(4 + 2)},
           {"collective.cost_cycles.tm", always(2)},
           {"collective.analytic_cycles", analytic},
           {"collective.cycles", of_packets(until_last_arrival)},
           {"collective.cycles", analytic}}};
}

// Nodes 3 2 1 0 of a line send their chunks 1, 2 and 3 ranks onwards. In the second round nodes 3
// and 2 use the channel from 2 to 1, and nodes 1 and 0 the one back. Messages have 16 flits and
// take 7 cycles in the interfaces of nodes and 5 per channel.
FigureGroup placed_exchange() {
  constexpr std::uint64_t kAnalytic = (7 + 3 * 5 + 16) + (7 + 2 * 5 + 16) + (7 + 3 * 5 + 16);
  return {{"{kind: mesh, sizes: [4]}", "{kind: dimension_order}",
           "{kind: collective, operation: gossip, algorithm: shift_exchange, length: 16, mapping: "
           "[3, 2, 1, 0]}",
           "{watchdog: 2000}", ""},
          {{"collective.nodes_of_ranks", always(Json::array({3, 2, 1, 0}))},
           {"collective.link_load_per_round", always(Json::array({1, 2, 1}))},
           {"collective.longest_path_per_round", of_packets(longest_path_per_round)},
           {"collective.analytic_cycles", always(kAnalytic)},
           {"collective.contention_cycles", of_packets([](const Packets& packets) {
              return until_last_arrival(packets) - kAnalytic;
            })}}};
}

// Every node sends to all other neighbours, whether they are informed or not.
FigureGroup flooding() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: broadcast, algorithm: flooding, length: 4}",
           "{watchdog: 2000}", "router: {kind: store_and_forward}\nnode: {ports: all}"},
          {{"collective.transmissions",
            of_packets([](const Packets& packets) { return packets.size(); })},
           {"collective.duplicates", of_packets(duplicates)},
           {"collective.rounds", always(6)},
           {"collective.lower_bound_rounds", always(6)},  // Distance to the opposite corner.
           {"collective.lower_bound_reason", always("eccentricity of the source")}}};
}

// The network replicates one packet for 15 nodes.
FigureGroup copied_broadcast() {
  return {
      {"{kind: clos, ports: 4, middle_switches: 4, switches: 4}", "{kind: central_control}",
       "{kind: collective, operation: broadcast, algorithm: multicast_rounds, length: 4}",
       "{watchdog: 2000}", "router: {virtual_channels: 1}"},
      {{"collective.transmissions", always(1)},
       {"collective.receipts", of_packets([](const Packets& packets) { return packets.size(); })},
       {"packets.created", always(1)},
       {"packets.copies", always(15)},
       {"packets.delivered", always(15)}}};
}

// The source is in a corner of a mesh and has five receivers. The number of links is the sum of all
// messages' hops without those to nodes.
FigureGroup chained_multicast() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: multicast, algorithm: umesh, length: 16, "
           "destinations: [3, 15, 6, 8, 12]}",
           "{watchdog: 2000}", ""},
          {{"collective.rounds", always(3)},
           {"collective.links", of_packets([](const Packets& packets) {
              std::uint64_t links = 0;
              for (const LoggedPacket& packet : packets) links += packet.hops - 1;
              return links;
            })}}};
}

// One tree serves the same receivers: 3 channels along the row of the source and 3, 1 and 3 up the
// columns.
FigureGroup copied_multicast() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: multicast, algorithm: xy_tree, length: 16, "
           "destinations: [3, 15, 6, 8, 12]}",
           "{watchdog: 2000}", ""},
          {{"collective.links", always(3 + 3 + 1 + 3)},
           {"packets.created", always(1)},
           {"packets.delivered", always(5)},
           {"collective.cycles", of_packets(until_last_arrival)},
           // The time is 7 cycles in the interfaces of nodes, 6 channels of 5 cycles, and 16 flits.
           {"collective.analytic_cycles", always(7 + 6 * 5 + 16)}}};
}

// 16 contributions of 4 flits go to a corner of a mesh whose routers combine them, so 15 of them
// end in the network.
FigureGroup combined_reduction() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: reduce, algorithm: reduction_tree, length: 4, "
           "forwarding: routers}",
           "{watchdog: 2000}", "router: {kind: wormhole, combine: 2}"},
          {{"packets.created", always(16)},
           {"packets.combined", always(15)},
           {"packets.delivered", of_packets([](const Packets& packets) { return packets.size(); })},
           {"reduction.combined_flits", always(15 * 4)},
           {"collective.cycles", of_packets(until_last_arrival)},
           // The time is 7 cycles in the interfaces of nodes, 6 channels, 6 combinations, and 4
           // flits.
           {"collective.analytic_cycles", always(7 + 6 * 5 + 6 * 2 + 4)}}};
}

// 16 vectors of 4 floats go to a corner of a mesh, along the binomial tree.
FigureGroup reduced_floats() {
  using Vector = std::vector<float>;
  const auto of_node = [](std::uint64_t node) {
    Vector vector;
    Random random = Random::stream(1, node);
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t drawn = random.next();
      const bool negative = (drawn >> 63) != 0;
      const auto mantissa = static_cast<float>(drawn >> 32 & 0x7fffff) / 8388608.0F;
      const float magnitude = (1.0F + mantissa) * ((drawn & 1) == 0 ? 0.5F : 1.0F);
      vector.push_back(negative ? -magnitude : magnitude);
    }
    return vector;
  };
  const auto plus = [](const Vector& a, const Vector& b) {
    Vector sum;
    for (std::size_t i = 0; i < a.size(); ++i) sum.push_back(a[i] + b[i]);
    return sum;
  };
  std::vector<Vector> tree;
  Vector in_order = of_node(0);
  for (std::uint64_t node = 0; node < 16; ++node) tree.push_back(of_node(node));
  for (std::uint64_t node = 1; node < 16; ++node) in_order = plus(in_order, tree[node]);
  for (; tree.size() > 1; tree.resize(tree.size() / 2)) {
    for (std::size_t i = 0; i < tree.size() / 2; ++i) tree[i] = plus(tree[2 * i], tree[2 * i + 1]);
  }
  std::uint64_t digest = 1;
  int differing = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &tree[0][i], sizeof bits);
    digest = Random(digest ^ bits).next();
    differing += tree[0][i] != in_order[i];
  }
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: collective, operation: reduce, algorithm: binomial, length: 4, "
           "data: {operator: add, type: float32}}",
           "{watchdog: 2000}", ""},
          {{"collective.data.combined", always(15 * 4)},
           {"collective.data.differing", always(differing)},
           {"collective.data.digest", always(fmt::format("{:016x}", digest))}}};
}

// Two broadcasts of 16 and of 4 flits run along paths, one after the other: ts = 20, td = 5.
FigureGroup broadcasts_in_turn() {
  const auto of_length = [](std::uint64_t flits) {
    return [flits](const Packets& packets) {
      return where(packets, [=](const LoggedPacket& packet) { return packet.length == flits; });
    };
  };
  const auto analytic = [](const Packets& packets, std::uint64_t flits) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t path : longest_path_per_round(packets))
      cycles += 20 + path * 5 + flits;
    return cycles;
  };
  const auto times = of_packets([=](const Packets& packets) {
    return Json::array({analytic(of_length(16)(packets), 16), analytic(of_length(4)(packets), 4)});
  });
  const auto bandwidths = [times](const Observed& seen) {
    const Json cycles = times(seen);
    return Json::array({128.0 / cycles[0].get<double>(), 32.0 / cycles[1].get<double>()});
  };
  return {
      {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
       "{kind: several_collectives, operations: [{operation: broadcast, algorithm: "
       "chain_halving, length: 16}, {operation: broadcast, algorithm: chain_halving, source: 6, "
       "length: 4}]}",
       "{watchdog: 2000}", "node: {startup: 20}\nclock: 1 GHz\nflit_width: 8 B"},
      {{"operations.physical.bytes", always(Json::array({128.0, 32.0}))},
       {"operations.physical.algorithm_gb_per_s", bandwidths},
       {"operations.physical.bus_gb_per_s", bandwidths},  // A broadcast has a factor of 1.
       {"operations.operation", always(Json::array({"broadcast", "broadcast"}))},
       {"operations.algorithm", always(Json::array({"chain_halving", "chain_halving"}))},
       {"operations.transmissions", always(Json::array({15, 15}))},
       {"operations.begin", of_packets([=](const Packets& packets) {
          return Json::array({0, of_length(4)(packets).front().created});
        })},
       {"operations.cycles", times},
       {"operations.analytic_cycles", times},
       {"completion_cycle", of_packets(until_last_arrival)}}};
}

/// A broadcast that begins in cycle 40, beside traffic. It is complete when its 15 packets of 4
/// flits have arrived; the others have one.
FigureGroup broadcast_beside_traffic() {
  return {
      {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
       "{kind: together, workloads: [{name: noise, kind: traffic, load: 0.1, packet_length: 1}, "
       "{name: step, start: 40, kind: collective, operation: broadcast, algorithm: binomial, "
       "length: 4}]}",
       "{watchdog: 2000}"},
      {{"workloads.name", always(Json::array({"noise", "step"}))},
       {"workloads.kind", always(Json::array({"traffic", "collective"}))},
       {"workloads.start", always(Json::array({0, 40}))},
       {"workloads.end", of_packets([](const Packets& packets) {
          std::uint64_t last = 0;
          for (const LoggedPacket& packet : packets) {
            if (packet.length == 4) last = std::max(last, packet.arrived);
          }
          return Json::array({nullptr, last + 1});
        })}}};
}

// Nodes 0 to 4 send packets of 3 flits from 0 to 3, from 0 to 4 and from 2 to 4. The first and the
// third leave in step 1; the second leaves in step 2, after the first, and therefore arrives in
// step 5. A step takes td + m tm = 5 + 3 cycles, and 7 cycles pass in the interfaces of nodes.
FigureGroup three_on_a_line() {
  const auto steps = of_packets([](const Packets& packets) {
    std::uint64_t last = 0;
    for (const LoggedPacket& packet : packets) last = std::max(last, packet.arrived);
    return (last + 1 - 7) / 8;
  });
  return {{"{kind: mesh, sizes: [5]}", "{kind: dimension_order}",
           "{kind: permutation, permutation: {pairs: [0, 3, 0, 4, 2, 4]}, algorithm: "
           "dimension_order, discipline: fifo, length: 3, runs: 2}",
           "{watchdog: 2000}", "router: {kind: store_and_forward}"},
          {{"permutation.algorithm", always("dimension_order")},
           {"permutation.discipline", always("fifo")},
           {"permutation.packets", always(3)},
           {"permutation.steps", always(5)},
           {"permutation.steps", steps},
           {"permutation.phase_steps", always(Json::array({5}))},
           {"permutation.lower_bound_steps", always(4)},  // The second has four channels ahead.
           {"permutation.congestion", always(3)},         // On the channel from 2 to 3.
           {"permutation.longest_path", always(4)},
           {"permutation.max_queue", always(2)},
           {"permutation.max_held", always(1)},
           {"permutation.max_delay", always(1)},
           {"permutation.mean_delay", always(1.0 / 3)},
           {"permutation.delay_theorem", always("holds")},
           {"permutation.greatest_sharing", always(2)},
           {"permutation.startup_cycles", always(7)},
           {"permutation.step_cycles", always(8)},
           {"permutation.analytic_cycles", always(7 + 5 * 8)},
           {"permutation.cycles", of_packets([](const Packets& packets) {
              std::uint64_t last = 0;
              for (const LoggedPacket& packet : packets) last = std::max(last, packet.arrived);
              return last + 1;
            })},
           {"permutation.network_steps", steps},
           // Both runs are equal, because nothing is random.
           {"permutation.repeated.runs", always(2)},
           {"permutation.repeated.steps.mean", always(5)},
           {"permutation.repeated.steps.half_width", always(0)},
           {"permutation.repeated.steps.max", always(5)},
           {"permutation.repeated.max_queue.mean", always(2)},
           {"permutation.repeated.max_queue.half_width", always(0)},
           {"permutation.repeated.max_queue.max", always(2)},
           {"permutation.repeated.max_delay", always(1)},
           {"permutation.repeated.claims", always(Json::array())}}};
}

FigureGroup two_phases() {
  return {{"{kind: hypercube, dimension: 4}", "{kind: e_cube}",
           "{kind: permutation, permutation: transpose, algorithm: two_phase}", "{watchdog: 2000}",
           "router: {kind: store_and_forward}"},
          {{"permutation.claims",
            always(Json::array({"a phase takes at most 4n = 16 steps: holds",
                                "both phases take at most 8n = 32 steps: holds"}))}}};
}

namespace {

const char* const kRareRequests = "{kind: clos_requests, load: 0.05, packet_length: 10}";

Parts rare_requests() {
  Parts parts;
  parts.topology = topology_of(Clos({{4, 1}}, 4));
  parts.seed = 3;
  parts.traffic.fan_out = 4;
  parts.traffic.injection_keys = {{"load", 0.05}};
  parts.traffic.lengths = {10};
  return parts;
}

// No packet is in flight at the end of the run.
Json created_but_not_delivered(const Observed& seen) {
  const auto cycles = seen.result.at("cycles").get<std::uint64_t>();
  const std::vector<Wish> wishes = wishes_of(rare_requests(), cycles);
  std::set<std::string> delivered;
  for (const LoggedPacket& packet : seen.log) delivered.insert(packet.packet);
  return wishes.size() - delivered.size();
}

}  // namespace

FigureGroup dropped_circuits() {
  return {{"{kind: clos, ports: 4, middle_switches: 1, switches: 4}", "{kind: central_control}",
           kRareRequests, "{warmup: 0, window: 1000}",
           "router: {kind: circuit, when_blocked: drop}\nseed: 3"},
          {{"circuit.dropped", created_but_not_delivered},
           {"circuit.blocked", created_but_not_delivered}}};
}

// Every node has a packet in every cycle and requests the next one at once. Therefore there is one
// request for each packet that has arrived and one more for each node.
FigureGroup waiting_circuits() {
  return {
      {"{kind: clos, ports: 4, middle_switches: 2, switches: 4}", "{kind: central_control}",
       "{kind: traffic, load: 20, packet_length: 20}", "{warmup: 0, window: 300, drain_limit: 0}",
       "router: {kind: circuit, request_cycles: 0, teardown_cycles: 0}"},
      {{"circuit.requests",
        of_packets([](const Packets& packets) { return packets.size() + 16; })}}};
}

// Many large requests use all the middle switches that they may.
FigureGroup two_passes() {
  return {{"{kind: clos, ports: 4, middle_switches: 5, switches: 4}",
           "{kind: central_control, strategy: RND, pass_limit: 2}",
           "{kind: clos_requests, load: 2, packet_length: 20}",
           "{warmup: 0, window: 1000, drain_limit: 0}", "router: {virtual_channels: 1}"},
          {{"control.most_passes", always(2)}}};
}

}  // namespace flitcast::program
