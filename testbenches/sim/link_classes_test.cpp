// SPDX-License-Identifier: Apache-2.0
// Channels that differ, from the keys of an experiment to its times.
#include <algorithm>
#include <set>
#include <tuple>

#include "experiment.h"
#include "folder.h"
#include "observed.h"
#include "sim/experiment/model.h"
#include "support/test_catch.h"
#include "topology/dragonfly.h"

using namespace flitcast;
using program::Experiment;
using program::Folder;
using program::Observed;

namespace {

Observed run(const Experiment& experiment, const std::vector<std::string>& set = {}) {
  return program::observe(program::configuration_of(experiment.text(), set));
}

/// One packet of 5 flits from node 0 in an idle network.
Experiment one_packet(const Folder& folder, const std::string& topology, std::uint32_t to,
                      const std::string& link) {
  folder.write("one.csv", "cycle,src,dst,flits\n0,0," + std::to_string(to) + ",5\n");
  Experiment experiment;
  experiment.topology = topology;
  experiment.workload = folder.placed("{kind: trace, format: csv, file: FOLDER/one.csv}");
  experiment.more = "link: " + link;
  return experiment;
}

std::uint64_t latency_of(const Experiment& experiment) {
  const Observed seen = run(experiment);
  REQUIRE(seen.log.size() == 1);
  return seen.log[0].arrived - seen.log[0].created;
}

/// By hand: two cycles into the first router, four in each router, one out of the last, and the
/// tail `tail` cycles behind the head; in a network of one cycle per flit it is 4.
std::uint64_t by_hand(std::uint64_t routers, std::uint64_t links, std::uint64_t tail = 4) {
  return 2 + 4 * routers + links + 1 + tail;
}

/// The channels of a dragonfly in an order in which a graph gives all of them the same ports.
std::vector<Channel> in_port_order(const Topology& topology) {
  std::vector<Channel> rest = topology.channels();
  std::vector<Channel> ordered;
  const auto is_before = [](const Channel& a, const Channel& b) {
    return (a.from.router == b.from.router && a.from.port < b.from.port) ||
           (a.to.router == b.to.router && a.to.port < b.to.port);
  };
  while (!rest.empty()) {
    const auto next = std::find_if(rest.begin(), rest.end(), [&](const Channel& channel) {
      return std::none_of(rest.begin(), rest.end(),
                          [&](const Channel& other) { return is_before(other, channel); });
    });
    REQUIRE(next != rest.end());
    ordered.push_back(*next);
    rest.erase(next);
  }
  return ordered;
}

std::string graph_of(const Dragonfly& dragonfly, int local, int global) {
  std::string text;
  for (const RouterId r : dragonfly.routers()) {
    text += "router " + std::to_string(index(r)) + "\n";
  }
  for (const NodeId n : dragonfly.nodes()) {
    text += "terminal " + std::to_string(index(n)) + " " +
            std::to_string(index(dragonfly.router_of(n))) + "\n";
  }
  for (const Channel& channel : in_port_order(dragonfly)) {
    const bool within = dragonfly.group(channel.from.router) == dragonfly.group(channel.to.router);
    text += "link " + std::to_string(index(channel.from.router)) + " " +
            std::to_string(index(channel.to.router)) + " latency " +
            std::to_string(within ? local : global) + " oneway\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a packet takes the latencies of the classes of its channels, by hand", "[sim]") {
  const Folder folder;
  const std::string mesh = "{kind: mesh, sizes: [4, 4]}";
  const auto latency = [&](const std::string& topology, std::uint32_t to, const std::string& link) {
    return latency_of(one_packet(folder, topology, to, link));
  };
  CHECK(latency(mesh, 14, "{}") == by_hand(6, 5));
  // From (0, 0) to (2, 3): two channels of dimension 0, three of dimension 1.
  CHECK(latency(mesh, 14, "{classes: {dimension_0: {latency: 5}, dimension_1: {latency: 11}}}") ==
        by_hand(6, 2 * 5 + 3 * 11));
  CHECK(latency(mesh, 14, "{latency: 3, classes: {dimension_1: {latency: 11}}}") ==
        by_hand(6, 2 * 3 + 3 * 11));
  CHECK(latency(mesh, 14, "{exceptions: [{from: 2, to: 6, latency: 50}]}") == by_hand(6, 4 + 50));
  CHECK(latency(mesh, 14, "{exceptions: [{from: 6, to: 2, latency: 50}]}") == by_hand(6, 5));
  // Over the wrap-around channels from (0, 0) to (3, 3).
  CHECK(latency("{kind: torus, sizes: [4, 4]}", 15, "{classes: {wrap: {latency: 9}}}") ==
        by_hand(3, 2 * 9));
}

TEST_CASE("a channel whose latency is not link.latency shows it in the result", "[sim]") {
  const Folder folder;
  const std::string link = "{latency: 2, exceptions: [{from: 2, to: 6, latency: 50}]}";
  const Observed seen = run(one_packet(folder, "{kind: mesh, sizes: [4, 4]}", 14, link));
  std::vector<std::tuple<int, int, int>> shown;
  for (const auto& channel : seen.result.at("links")) {
    if (!channel.contains("latency")) continue;
    shown.emplace_back(channel.at("from"), channel.at("to"), channel.at("latency"));
  }
  CHECK(shown == std::vector<std::tuple<int, int, int>>{{2, 6, 50}});
}

TEST_CASE("a tail comes behind a narrow channel later, and catches up, by hand", "[sim]") {
  const Folder folder;
  const auto latency = [&](const std::string& link) {
    return latency_of(one_packet(folder, "{kind: mesh, sizes: [4, 4]}", 14, link));
  };
  // Flits behind the head spend two cycles fewer in a router, until they follow each other closely:
  // a tail 12 cycles behind in dimension 0 is 10, 8, 6 and 4 behind at the outputs that follow.
  CHECK(latency("{classes: {dimension_0: {cycles_per_flit: 3}}}") == by_hand(6, 5, 4));
  CHECK(latency("{classes: {dimension_1: {cycles_per_flit: 3}}}") == by_hand(6, 5, 12 - 2));
  CHECK(latency("{exceptions: [{from: 10, to: 14, cycles_per_flit: 5}]}") == by_hand(6, 5, 20 - 2));
  CHECK(latency("{exceptions: [{from: 6, to: 10, cycles_per_flit: 5}]}") == by_hand(6, 5, 20 - 4));
}

TEST_CASE("a credit takes link.credit_latency or, if that is 0, as long as a flit, by hand",
          "[sim]") {
  const Folder folder;
  const auto latency = [&](const std::string& link) {
    Experiment experiment = one_packet(folder, "{kind: mesh, sizes: [4, 4]}", 1, link);
    experiment.more += "\nrouter: {virtual_channels: 1, buffer_depth: 2}";
    return latency_of(experiment);
  };
  // A slot is used again after three cycles, the flight of its flit and that of the credit; of 5
  // flits in 2 slots the tail is the third in its own.
  CHECK(latency("{classes: {dimension_0: {latency: 9}}}") == by_hand(2, 9, 2 * (3 + 9 + 1)));
  CHECK(latency("{credit_latency: 4, classes: {dimension_0: {latency: 9}}}") ==
        by_hand(2, 9, 2 * (3 + 9 + 4)));
  CHECK(latency("{credit_latency: 0, classes: {dimension_0: {latency: 9}}}") ==
        by_hand(2, 9, 2 * (3 + 9 + 9)));
  CHECK(latency("{credit_latency: 0, latency: 9, classes: {dimension_1: {latency: 20}}}") ==
        by_hand(2, 9, 2 * (3 + 9 + 9)));
}

TEST_CASE("pins take as long as the fabric over channels that differ", "[sim]") {
  Experiment experiment;
  experiment.workload = "{kind: traffic, load: 0.2}";
  experiment.more =
      "link: {classes: {dimension_0: {latency: 5}, dimension_1: {cycles_per_flit: 2}}}";
  const Observed fabric = run(experiment);
  const Observed pins = run(experiment, {"run.implementation=pins"});
  CHECK(pins.implementation == "pins");
  CHECK(fabric.result["checksum"] == pins.result["checksum"]);
  const std::string as_long = "link.credit_latency=0";
  const Observed late = run(experiment, {as_long});
  CHECK(late.result["checksum"] != fabric.result["checksum"]);
  CHECK(late.result["checksum"] ==
        run(experiment, {as_long, "run.implementation=pins"}).result["checksum"]);
  CHECK(late.result["checksum"] == run(experiment, {as_long, "run.threads=2"}).result["checksum"]);
}

TEST_CASE("a channel of four cycles per flit carries a quarter, and capacity says so", "[sim]") {
  Experiment experiment = program::with_topology("{kind: mesh, sizes: [2, 1]}");
  experiment.workload = "{kind: traffic, pattern: neighbour, load: 0.9}";
  experiment.measure = "{warmup: 1000, window: 4000, drain_limit: 0}";
  experiment.more = "link: {classes: {dimension_0: {cycles_per_flit: 4}}}";
  const auto accepted = [](const Observed& seen) {
    return seen.result["accepted_flits_per_node_cycle"]["mean"].get<double>();
  };
  const Observed narrow = run(experiment);
  CHECK(accepted(narrow) == Approx(0.25).margin(0.001));
  CHECK(narrow.result["capacity"]["flits_per_node_cycle"] == 0.25);
  const Observed wide = run(experiment, {"link.classes.dimension_0.cycles_per_flit=1"});
  CHECK(accepted(wide) > 0.85);
  // One way alone: half of the flits at a quarter, half unimpeded.
  const Observed one_way =
      run(experiment, {"link={exceptions: [{from: 0, to: 1, cycles_per_flit: 4}]}"});
  CHECK(accepted(one_way) == Approx((0.25 + 0.9) / 2).margin(0.03));
}

TEST_CASE("a dragonfly with classes equals the graph with latencies of its own", "[sim]") {
  const Folder folder;
  folder.write("dragonfly.graph", graph_of(Dragonfly({2, 2, 2}), 10, 100));
  Experiment classes = program::with_topology("{kind: dragonfly, nodes: 2, routers: 2}");
  classes.routing = "{kind: shortest_path}";
  classes.workload = "{kind: traffic, load: 0.3}";
  classes.more = "link: {classes: {local: {latency: 10}, global: {latency: 100}}}";
  Experiment graph = classes;
  graph.topology = folder.placed("{kind: custom, file: FOLDER/dragonfly.graph}");
  graph.more = "";
  const Observed expected = run(graph);
  CHECK(run(classes).result["checksum"] == expected.result["checksum"]);
  CHECK(run(classes, {"link.classes.local.latency=11"}).result["checksum"] !=
        expected.result["checksum"]);
}

TEST_CASE("a packet crosses dies by boundary routers in the time by hand", "[sim]") {
  const Folder folder;
  // East, west, south and north boundary routers of dies of 4x4, four of which are a square.
  Experiment experiment =
      one_packet(folder,
                 "{kind: hierarchy, within: {kind: mesh, sizes: [4, 4]}, between: {kind: mesh, "
                 "sizes: [2, 2]}, at: [7, 4, 13, 1]}",
                 63, "{classes: {die_to_die: {latency: 20, cycles_per_flit: 2}}}");
  experiment.routing =
      "{kind: hierarchical, within: {kind: dimension_order}, between: {kind: dimension_order}}";
  experiment.more += "\nrouter: {virtual_channels: 5}";
  // From (0, 0) to the eastern (3, 1), from the western (0, 1) to the southern (1, 3), and from the
  // northern (1, 0) to (3, 3): 4 + 3 + 5 channels in dies, 2 between them, and 15 routers.
  CHECK(latency_of(experiment) == by_hand(15, 12 + 2 * 20));
}

TEST_CASE("packets from a corner of 16 dies take the time by hand to every node, by dies crossed",
          "[sim]") {
  struct Place {
    int x;
    int y;
  };
  const auto apart = [](Place a, Place b) {
    return static_cast<std::uint64_t>(std::abs(a.x - b.x) + std::abs(a.y - b.y));
  };
  constexpr Place kEast{3, 1};
  constexpr Place kWest{0, 1};
  constexpr Place kSouth{1, 3};
  constexpr Place kNorth{1, 0};
  constexpr int kNodes = 256;  // 4x4 dies of 4x4, from die to die by the routers above.
  const Folder folder;
  std::string trace = "cycle,src,dst,flits\n";
  for (int to = 0; to < kNodes; ++to) {
    trace += std::to_string(1000 * to) + ",0," + std::to_string(to) + ",1\n";
  }
  folder.write("all.csv", trace);
  Experiment experiment = program::with_topology(
      "{kind: hierarchy, within: {kind: mesh, sizes: [4, 4]}, between: {kind: mesh, sizes: [4, "
      "4]}, at: [7, 4, 13, 1]}");
  experiment.workload = folder.placed("{kind: trace, format: csv, file: FOLDER/all.csv}");
  experiment.routing =
      "{kind: hierarchical, within: {kind: dimension_order}, between: {kind: dimension_order}}";
  experiment.more =
      "link: {classes: {die_to_die: {latency: 20, cycles_per_flit: 4}}}\n"
      "router: {virtual_channels: 5}";
  const Observed seen = run(experiment);
  REQUIRE(seen.log.size() == kNodes);
  for (const auto& packet : seen.log) {
    const int to = static_cast<int>(packet.created / 1000);
    const int die = to / 16;
    Place here{0, 0};
    std::uint64_t within = 0;
    std::uint64_t crossed = 0;
    const auto cross = [&](Place leave, Place enter) {
      within += apart(here, leave);
      here = enter;
      ++crossed;
    };
    for (int x = 0; x < die % 4; ++x) cross(kEast, kWest);
    for (int y = 0; y < die / 4; ++y) cross(kSouth, kNorth);
    within += apart(here, {to % 4, to % 16 / 4});
    INFO("to node " << to << ", " << crossed << " dies away");
    CHECK(packet.arrived - packet.created ==
          by_hand(within + crossed + 1, within + 20 * crossed, 0));
  }
}

TEST_CASE("dies joined along whole borders have the times of the mesh that they form", "[sim]") {
  const Folder folder;
  const std::string dies =
      "{kind: hierarchy, within: {kind: mesh, sizes: [4, 2]}, between: {kind: mesh, sizes: [2, "
      "3]}}";
  // From (0, 0) to (7, 5) of 8x6: one border across and two down.
  CHECK(latency_of(one_packet(folder, dies, 47, "{classes: {die_to_die: {latency: 20}}}")) ==
        by_hand(13, 12 - 3 + 3 * 20));
  Experiment alike = program::with_topology(dies);
  CHECK(run(alike).result["checksum"] ==
        run(program::with_topology("{kind: mesh, sizes: [8, 6]}")).result["checksum"]);
}

TEST_CASE("a channel between dies bounds the load of two dies, by hand", "[sim]") {
  // Half of the packets of the 16 nodes of a die cross: 8 flits for each that every node sends.
  Experiment experiment = program::with_topology(
      "{kind: hierarchy, within: {kind: mesh, sizes: [4, 4]}, between: {kind: mesh, sizes: [2]}, "
      "at: [7, 4]}");
  experiment.routing =
      "{kind: hierarchical, within: {kind: dimension_order}, between: {kind: dimension_order}}";
  const auto bound = [&](const std::vector<std::string>& set) {
    const Configuration configuration = program::configuration_of(experiment.text(), set);
    return make_model(configuration, false).capacity->bound;
  };
  CHECK(bound({}) == Approx(1.0 / 8));
  CHECK(bound({"link.classes.die_to_die.cycles_per_flit=2"}) == Approx(1.0 / 16));
  CHECK(bound({"topology.at=[7, 4, 11, 8]"}) == Approx(2.0 / 8));
}

namespace {

/// A packet of 40 flits over one channel of 30 cycles, in one VC.
Experiment long_packet(const Folder& folder, const std::string& link, const std::string& router) {
  folder.write("long.csv", "cycle,src,dst,flits\n0,0,1,40\n");
  Experiment experiment = program::with_topology("{kind: mesh, sizes: [2]}");
  experiment.workload = folder.placed("{kind: trace, format: csv, file: FOLDER/long.csv}");
  experiment.more = "link: " + link + "\nrouter: {virtual_channels: 1, " + router + "}";
  return experiment;
}

/// By hand: `slots` flits leave in each round trip of 2 cycles through the switch, 30 of flight, 1
/// of the credit and 1 until the next grant.
std::uint64_t with_slots(std::uint64_t slots) {
  return by_hand(2, 30, 39 / slots * (2 + 30 + 1 + 1) + 39 % slots);
}

}  // namespace

TEST_CASE("a packet waits for the slots behind its own channel, by hand", "[sim]") {
  const Folder folder;
  const auto latency = [&](const std::string& link, const std::string& router) {
    return latency_of(long_packet(folder, link, router));
  };
  CHECK(latency("{latency: 30}", "buffer_depth: 8") == with_slots(8));
  const auto own = [&](std::uint64_t slots) {
    return latency(
        "{classes: {dimension_0: {latency: 30, buffer_depth: " + std::to_string(slots) + "}}}",
        "buffer_depth: 8");
  };
  for (const std::uint64_t slots : {1, 7, 9, 33}) {
    INFO(slots);
    CHECK(own(slots) == with_slots(slots));
  }
  CHECK(own(34) == by_hand(2, 30, 39));  // The first slot is free again when the last is taken.
  const std::string back = "exceptions: [{from: 1, to: 0, buffer_depth: 34}]";
  CHECK(latency("{latency: 30, " + back + "}", "buffer_depth: 8") == with_slots(8));
  const std::string there = "exceptions: [{from: 0, to: 1, buffer_depth: 20}]";
  CHECK(latency("{latency: 30, " + there + "}", "buffer_depth: 8") == with_slots(20));
}

TEST_CASE("the note of the credit round trip is about the worst channel and its own slots",
          "[sim]") {
  const auto note = [](const std::string& link, const std::string& depth) {
    Experiment experiment = program::with_topology("{kind: torus, sizes: [4, 4]}");
    experiment.more =
        "link: " + link + "\nrouter: {virtual_channels: 2, buffer_depth: " + depth + "}";
    const Model model = make_model(program::configuration_of(experiment.text()), false);
    return credit_note(model.network);
  };
  const auto of_wrap = [&](const std::string& slots, const std::string& depth) {
    return note("{classes: {wrap: {latency: 30, buffer_depth: " + slots + "}}}", depth);
  };
  CHECK(of_wrap("34", "5").empty());
  CHECK(of_wrap("17", "5") ==
        "buffers of 17 flits do not cover the credit round trip of 16 of 64 channels: a packet "
        "gets at most 50 % of the worst, packets in all 2 VCs at most 100 %; set "
        "buffer_depth of link.classes.wrap, or of its exception, to 34");
  CHECK(of_wrap("0", "5") ==
        "buffers of 5 flits do not cover the credit round trip of 16 of 64 channels: a packet "
        "gets at most 14.7 % of the worst, packets in all 2 VCs at most 29.4 %; set "
        "buffer_depth of link.classes.wrap, or of its exception, to 34");
  // 5 slots for the round trip of the 48 channels of one cycle, too.
  CHECK(of_wrap("33", "1") ==
        "buffers of 1 flit do not cover the credit round trip of 64 of 64 channels: a packet gets "
        "at most 20 % of the worst, packets in all 2 VCs at most 40 %; set router.buffer_depth to "
        "5");
  CHECK(note("{latency: 30}", "5").find("; set router.buffer_depth to 34") != std::string::npos);
}

TEST_CASE("networks with buffers that differ are equal in the fabric, by pins and in threads",
          "[sim]") {
  const std::string deep = "link: {classes: {dimension_0: {latency: 12, buffer_depth: 21}}}\n";
  const std::string shallow =
      "link: {classes: {dimension_0: {latency: 12, buffer_depth: 2}, dimension_1: {buffer_depth: "
      "3}}}\n";
  const std::string one_slot = "link: {classes: {dimension_0: {latency: 12, buffer_depth: 1}}}\n";
  struct Case {
    std::string routing;
    std::string more;
  };
  const Case cases[] = {
      {"dimension_order", deep + "router: {buffer_depth: 6}"},
      {"dimension_order", shallow + "router: {buffer_depth: 6}"},
      {"dimension_order", deep + "router: {kind: virtual_cut_through, buffer_depth: 6}"},
      {"dimension_order",
       deep + "router: {kind: store_and_forward, virtual_channels: 1, buffer_depth: 1}"},
      {"dimension_order",
       one_slot + "router: {kind: store_and_forward, virtual_channels: 1, buffer_depth: 9}"},
      {"minimal_adaptive", deep + "router: {buffer_depth: 6}"},
      {"minimal_adaptive", shallow + "router: {buffer_depth: 6}"}};
  for (const Case& one : cases) {
    INFO(one.routing << ", " << one.more);
    Experiment experiment;
    experiment.routing = "{kind: " + one.routing + "}";
    experiment.workload = "{kind: traffic, load: 0.25}";
    experiment.more = one.more;
    const auto checksum = [&](const std::vector<std::string>& set) {
      return run(experiment, set).result["checksum"];
    };
    const auto fabric = checksum({});
    CHECK(fabric == checksum({"run.implementation=pins"}));
    CHECK(fabric == checksum({"run.threads=3"}));
    CHECK(fabric != checksum({"link.classes.dimension_0.buffer_depth=0"}));
  }
}

TEST_CASE("UGAL weighs flits in queues, not slots that a shallow buffer does not have", "[sim]") {
  Experiment experiment = program::with_topology("{kind: dragonfly, nodes: 2}");
  experiment.routing = "{kind: ugal}";
  experiment.workload = "{kind: traffic, load: 0.05, packet_length: 2}";
  const auto checksum = [&](const std::string& more) {
    experiment.more = "router: {virtual_channels: 3, " + more;
    return run(experiment).result["checksum"];
  };
  // Where no packet waits for a credit, depths make no difference.
  const auto deep = checksum("buffer_depth: 200}\nlink: {classes: {global: {latency: 20}}}");
  CHECK(deep == checksum("buffer_depth: 60}\n"
                         "link: {classes: {global: {latency: 20, buffer_depth: 200}}}"));
  CHECK(deep == checksum("buffer_depth: 200}\n"
                         "link: {classes: {global: {latency: 20}, local: {buffer_depth: 60}}}"));
  CHECK(deep !=
        checksum("buffer_depth: 200}\nlink: {classes: {global: {latency: 20, buffer_depth: 1}}}"));
}

TEST_CASE("an output VC that waits for its last credit waits for those of its own buffer",
          "[sim]") {
  Experiment experiment = program::with_topology("{kind: ring, nodes: 8}");
  experiment.more =
      "router: {virtual_channels: 1, buffer_depth: 2, vc_reuse: tail_credit}\n"
      "link: {classes: {dimension_0: {buffer_depth: 5}, wrap: {buffer_depth: 1}}}";
  experiment.routing = "{kind: dimension_order, vc_classes: none, tie: plus}";
  experiment.workload = "{kind: traffic, pattern: tornado, load: 0.9, packet_length: 20}";
  experiment.measure = "{warmup: 100, window: 3000}";
  CHECK(run(experiment).result["status"] == "deadlock");
  experiment.topology = "{kind: mesh, sizes: [4]}";
  experiment.more =
      "router: {virtual_channels: 1, buffer_depth: 2, vc_reuse: tail_credit}\n"
      "link: {classes: {dimension_0: {buffer_depth: 5}}}";
  experiment.workload = "{kind: traffic, load: 0.05, packet_length: 20}";
  CHECK(run(experiment).result["status"] == "ok");
}

TEST_CASE("the slots of all buffers are those of nodes and those behind each channel, by hand",
          "[sim]") {
  // A mesh of 4x4 has 24 channels in each dimension and 16 from nodes.
  Experiment experiment;
  experiment.more =
      "router: {virtual_channels: 3, buffer_depth: 5}\n"
      "link: {classes: {dimension_0: {buffer_depth: 11}}, exceptions: [{from: 0, to: 4, "
      "buffer_depth: 1}]}";
  CHECK(run(experiment).result["cost"]["buffer_flits"] == 3 * (16 * 5 + 24 * 11 + 23 * 5 + 1));
}

TEST_CASE("buffers that differ are refused where they mean nothing or cannot be", "[sim]") {
  const auto refusal = [](const std::string& depth, const std::string& more) {
    Experiment experiment;
    experiment.more = "link: {classes: {dimension_0: {buffer_depth: " + depth + "}}}\n" + more;
    try {
      make_model(program::configuration_of(experiment.text()), false);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string cut_through = "router: {kind: virtual_cut_through, buffer_depth: 6}";
  CHECK(refusal("5", cut_through)
            .find("link.classes: packets as long as router.buffer_depth would not fit behind each "
                  "channel; make each buffer_depth there at least 6") != std::string::npos);
  CHECK(refusal("6", cut_through).empty());
  CHECK(refusal("7", cut_through).empty());
  const std::string energy =
      "router: {virtual_channels: 2, buffer_depth: 4}\nenergy: {cells: osu018}";
  CHECK(refusal("5", energy)
            .find("energy.cells: a price is that of routers whose buffers are "
                  "alike; leave buffer_depth out of link.classes and "
                  "link.exceptions") != std::string::npos);
  CHECK(refusal("4", energy).find("a price is that of routers whose buffers") == std::string::npos);
}

TEST_CASE("gossip by routers needs room behind all channels of its cycles", "[sim]") {
  const auto refused = [](const std::string& depth, const std::string& own) {
    Experiment experiment = program::with_topology("{kind: torus, sizes: [4, 4]}");
    experiment.workload =
        "{kind: collective, operation: gossip, algorithm: hamiltonian_cycles, forwarding: routers, "
        "length: 8}";
    experiment.more = "router: {virtual_channels: 2, buffer_depth: " + depth +
                      "}\nnode: {ports: all}\nlink: {classes: {wrap: {buffer_depth: " + own + "}}}";
    try {
      const Observed seen = run(experiment);
      CHECK(seen.result["status"] == "ok");
    } catch (const ConfigError& error) {
      return std::string(error.what()).find("too few for packets of 8 flits that routers pass") !=
             std::string::npos;
    }
    return false;
  };
  CHECK_FALSE(refused("16", "16"));
  CHECK_FALSE(refused("16", "0"));
  CHECK(refused("16", "15"));
  CHECK(refused("15", "16"));
}
