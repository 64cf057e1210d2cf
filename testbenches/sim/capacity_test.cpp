// SPDX-License-Identifier: Apache-2.0
// Analytical bounds on throughput, compared with those of the literature and with runs.
#include "sim/experiment/capacity.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "experiment.h"
#include "folder.h"
#include "sim/experiment/model.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"
#include "topology/channel_numbering.h"

using namespace flitcast;

namespace {

using program::Experiment;

Configuration configuration_of(const Experiment& experiment) {
  return validate(parse_document(experiment.text(), "capacity.yaml"), experiment_schema());
}

Capacity capacity_of(const Experiment& experiment) {
  const Configuration configuration = configuration_of(experiment);
  return *make_model(configuration, false).capacity;
}

Experiment traffic(const std::string& topology, const std::string& routing,
                   const std::string& workload) {
  Experiment experiment;
  experiment.topology = "{kind: " + topology + "}";
  experiment.routing = "{kind: " + routing + "}";
  experiment.workload = "{kind: traffic, " + workload + "}";
  return experiment;
}

struct Known {
  Experiment experiment;
  double bound;
};

// Returns the names of all channels with the load of the channel that sets the bound.
std::set<std::string> most_loaded(const Experiment& experiment) {
  const Configuration configuration = configuration_of(experiment);
  const Model model = make_model(configuration, false);
  std::set<std::string> names;
  for (std::size_t c = 0; c < model.capacity->loads.size(); ++c) {
    if (model.capacity->loads[c] < model.capacity->channel_load - 1e-9) continue;
    names.insert(ChannelNumbering(model.topology()).name(c));
  }
  return names;
}

Measurement run(const Model& model, std::uint64_t window) {
  MeasurementPlan plan;
  plan.window = window;
  return measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {});
}

std::vector<std::string> notes_of(const Experiment& experiment) {
  const Configuration configuration = configuration_of(experiment);
  return make_model(configuration, false).workload->notes();
}

}  // namespace

TEST_CASE("bounds are those that the literature gives for its networks and patterns", "[sim]") {
  const std::string mesh = "mesh, sizes: [8, 8]";
  const std::vector<Known> known{
      {traffic(mesh, "dimension_order", "pattern: transpose"), 1.0 / 7},
      {traffic(mesh, "dimension_order", "pattern: uniform"), 4.0 / 8},
      {traffic(mesh, "dimension_order", "pattern: bit_complement"), 2.0 / 8},
      {traffic(mesh, "dimension_order", "pattern: hot_spot"), 1 / (64 * 0.2 + 0.8)},
      {traffic("torus, sizes: [8, 8]", "dimension_order", "pattern: uniform"), 8.0 / 8},
      {traffic("torus, sizes: [8, 8]", "dimension_order", "pattern: tornado"), 1.0 / 3},
      {traffic("ring, nodes: 16", "dimension_order", "pattern: tornado"), 1.0 / 7},
      {traffic("ring, nodes: 16", "dimension_order", "pattern: uniform"), 8.0 / 16},
      {traffic("hypercube, dimension: 6", "e_cube", "pattern: bit_reverse"), 0.25},
      {traffic("hypercube, dimension: 6", "e_cube", "pattern: uniform"), 1},
      {traffic("butterfly, arity: 2, stages: 4", "destination_tag", "pattern: transpose"), 0.5},
      {traffic("fat_tree, arity: 4, levels: 3", "d_mod_k", "pattern: uniform"), 1},
      {traffic("fat_tree, arity: 4, levels: 3", "d_mod_k", "pattern: bit_complement"), 1},
      {traffic("folded_clos, nodes: 4, leaves: 4, spines: 2", "d_mod_k",
               "pattern: uniform, include_self: true"),
       2.0 / (4 * 0.75)},
      {traffic("cmesh, sizes: [4, 4], tile: [2, 2]", "dimension_order", "pattern: uniform"),
       4.0 / (4 * 4)},
      {traffic("flattened_butterfly, sizes: [4, 4], tile: [2, 2]", "e_cube", "pattern: uniform"),
       1},
      {traffic("hyperx, sizes: [4, 4], nodes_per_router: 8", "e_cube", "pattern: uniform"),
       4.0 / 8},
      {traffic("hyperx, sizes: [4, 4], nodes_per_router: 8", "valiant", "pattern: tornado"),
       4.0 / (2 * 8)},
      {traffic("hyperx, sizes: [4, 4], nodes_per_router: 8", "e_cube", "pattern: tornado"),
       1.0 / 8},
      {traffic("slim_fly, q: 5", "shortest_path, vc_classes: by_distance", "pattern: uniform"),
       200.0 / (13 * 4 * 4)},
      {traffic("crossbar, nodes: 8", "shortest_path", "pattern: bit_reverse"), 1},
      {traffic("dragonfly, nodes: 2", "dragonfly_minimal", "pattern: neighbour"), 1.0 / (2 * 4)},
      {traffic("dragonfly, nodes: 2, leaves: 4", "dragonfly_minimal", "pattern: neighbour"),
       1.0 / (2 * 4)},
      {traffic("complete, nodes: 8", "shortest_path", "pattern: neighbour"), 1},
  };
  for (const Known& one : known) {
    INFO(one.experiment.text());
    CHECK(capacity_of(one.experiment).bound == Approx(one.bound));
  }
}

TEST_CASE("bounds of patterns of two destinations are those by hand", "[sim]") {
  // A third of each node's flits goes one link on.
  CHECK(capacity_of(traffic("ring, nodes: 8", "dimension_order", "pattern: diagonal")).bound ==
        Approx(1));
  CHECK(capacity_of(traffic("ring, nodes: 8", "dimension_order", "pattern: diagonal"))
            .loads.front() == Approx(1.0 / 3));
  // Half of the flits of four nodes, of either half, go to the other half of a line of 8: those of
  // node i to place i mod 4. The link in the middle carries half of 4.
  CHECK(capacity_of(traffic("mesh, sizes: [8]", "dimension_order", "pattern: asymmetric")).bound ==
        Approx(0.5));
}

TEST_CASE("worst cases of oblivious routings are those of the literature", "[sim]") {
  // Towles and Dally (2002), table of an 8-ary 2-cube, as shares of its capacity of 8 / k = 1.
  const std::string torus = "torus, sizes: [8, 8]";
  CHECK(capacity_of(traffic(torus, "dimension_order, tie: plus", "pattern: worst_case")).bound ==
        Approx(0.25));
  CHECK(capacity_of(traffic(torus, "valiant", "pattern: worst_case")).bound == Approx(0.5));
  // With a fair coin half way round, the fourth of the nodes before a link sends half over it.
  CHECK(capacity_of(traffic(torus, "dimension_order", "pattern: worst_case")).bound ==
        Approx(1 / 3.5));
  CHECK(
      capacity_of(traffic("mesh, sizes: [8, 8]", "dimension_order", "pattern: worst_case")).bound ==
      Approx(1.0 / 7));
}

TEST_CASE("a worst case names its link, and is refused where paths are not known", "[sim]") {
  CHECK(notes_of(traffic("mesh, sizes: [4]", "dimension_order", "pattern: worst_case")) ==
        std::vector<std::string>{"worst_case loads 1 -> 2 with 2 flits for each that a node sends: "
                                 "no permutation loads a link more"});
  CHECK_THROWS_WITH(
      notes_of(traffic("mesh, sizes: [4, 4]", "minimal_adaptive", "pattern: worst_case")),
      Catch::Contains("workload.pattern: worst_case is not known: routers choose outputs"));
  CHECK_THROWS_WITH(notes_of(traffic("mesh, sizes: [4, 4]", "dimension_order",
                                     "classes: [{name: a, pattern: worst_case}]")),
                    Catch::Contains("worst_case needs the paths of packets"));
}

TEST_CASE("the bound of a matrix is that of its busiest channel, for its mean load", "[sim]") {
  const program::Folder folder;
  folder.write("m.csv", "source,destination,rate\n0,3,0.2\n1,3,0.1\n");
  for (const char* routing : {"dimension_order", "negative_first"}) {
    INFO(routing);
    // At a mean load of 0.075 the link and the ejection before node 3 carry 0.3.
    const Capacity bound = capacity_of(traffic(
        "mesh, sizes: [2, 2]", routing, folder.placed("pattern: matrix, matrix: FOLDER/m.csv")));
    CHECK(bound.offered == Approx(0.075));
    CHECK(bound.bound == Approx(0.075 / 0.3));
  }
  folder.write("two.csv", "source,destination,rate\n0,3,0.2\n0,1,0.1\n");
  const Capacity adaptive =
      capacity_of(traffic("mesh, sizes: [2, 2]", "minimal_adaptive",
                          folder.placed("pattern: matrix, matrix: FOLDER/two.csv, load: 0.1")));
  CHECK(adaptive.offered == Approx(0.1));
  CHECK(adaptive.bound == Approx(0.25));  // Node 0 injects four times the mean.
}

TEST_CASE("transpose under XY is bound by the channels into and out of two corners", "[sim]") {
  const Experiment transpose =
      traffic("mesh, sizes: [8, 8]", "dimension_order", "pattern: transpose");
  CHECK(most_loaded(transpose) ==
        std::set<std::string>{"0 -> 8", "1 -> 0", "62 -> 63", "63 -> 55"});
  const Capacity capacity = capacity_of(transpose);
  CHECK(capacity.channel_load == Approx(7));
  CHECK(capacity.channels == 4);
}

TEST_CASE("a hot spot is bound by the channel to its node", "[sim]") {
  const Experiment hot_spot =
      traffic("mesh, sizes: [8, 8]", "dimension_order", "pattern: hot_spot, hot_spots: [27]");
  CHECK(most_loaded(hot_spot) == std::set<std::string>{"27 -> node 27"});
  CHECK(capacity_of(hot_spot).channels == 1);
}

TEST_CASE("slow links divide the bound, start-ups and ports of nodes set one of their own",
          "[sim]") {
  Experiment slow = traffic("mesh, sizes: [8, 8]", "dimension_order", "pattern: uniform");
  slow.more = "link: {cycles_per_flit: 4}";
  CHECK(capacity_of(slow).bound == Approx(0.5 / 4));
  Experiment lazy;  // Packets of 5 flits; the mesh itself could carry a flit per node and cycle.
  CHECK(capacity_of(lazy).bound == Approx(1));
  lazy.more = "node: {startup: 20}";
  CHECK(capacity_of(lazy).bound == Approx(0.2));
  CHECK(most_loaded(lazy).count("node 0 -> 0") == 1);
  lazy.more = "node: {startup: 20, ports: 2}";
  CHECK(capacity_of(lazy).bound == Approx(0.4));
  lazy.workload = "{kind: traffic, packet_length: [10, 20], packet_weights: [1, 3]}";
  CHECK(capacity_of(lazy).bound == Approx(2 * 17.5 / 37.5));
}

TEST_CASE("a narrow link of a graph file sets the bound, and its load counts the time of its flits",
          "[sim]") {
  const program::Folder folder;
  folder.write("narrow.graph",
               "router a\nrouter b\nterminal a a\nterminal b b\nlink a b cycles_per_flit 4\n");
  Experiment narrow = traffic("custom, file: " + (folder.path() / "narrow.graph").string(),
                              "shortest_path", "pattern: uniform, load: 0.3");
  CHECK(capacity_of(narrow).bound == Approx(0.5));  // Half of the packets, at four cycles per flit.
  CHECK(capacity_of(narrow).channel == 0);
  CHECK(capacity_of(narrow).channels == 2);
  const Configuration configuration = configuration_of(narrow);
  const Model model = make_model(configuration, false);
  constexpr std::uint64_t kWindow = 4000;
  for (const LinkLoad& link : run(model, kWindow).links) {
    const double flit_time = link.channel < 2 ? 4 : 1;
    const double edges = 2 * flit_time / kWindow;  // Flits that cross the bounds of the window.
    CHECK(link.load == Approx(flit_time * static_cast<double>(link.flits) / kWindow).margin(edges));
  }
}

TEST_CASE("the bound of classes is on what they send together, replies on their way back",
          "[sim]") {
  // Each of 16 nodes sends a packet of one flit to node 0 and receives four flits back: node 0
  // sends 64 of every 80 flits.
  const Experiment hot = traffic(
      "mesh, sizes: [4, 4]", "dimension_order",
      "classes: [{name: a, load: 0.01, packet_length: 1, pattern: hot_spot, hot_fraction: 1, "
      "reply: b}, {name: b, packet_length: 4}]");
  const Capacity capacity = capacity_of(hot);
  CHECK(capacity.offered == Approx(0.05));
  CHECK(capacity.bound == Approx(5 / 65.0));
  CHECK(most_loaded(hot).count("node 0 -> 0") == 1);
  // Alone, with a start-up of 3 cycles, the classes use a quarter and 4 / 7 of a node's channel.
  Experiment lazy = traffic("mesh, sizes: [2, 2]", "dimension_order",
                            "classes: [{name: a, load: 0.01, packet_length: 1, reply: b}, "
                            "{name: b, packet_length: 4}]");
  lazy.more = "node: {startup: 3}";
  CHECK(capacity_of(lazy).bound == Approx(1 / 4.0 + 4 / 7.0));
}

TEST_CASE("packets on slow channels are rates of their own, as longer ones", "[sim]") {
  // Half of the packets of nodes 0 and 1 cross the middle of four: a quarter of all, one way.
  Experiment line = traffic("mesh, sizes: [4]", "dimension_order", "load: 0.4, packet_length: 4");
  const auto rates = [&](const std::string& link) {
    line.more = "link: {" + link + "}";
    const Model model = make_model(configuration_of(line), false);
    return rates_by_time(model.network, *model.offered, model.capacity->loads);
  };
  const PacketRates alike = rates("cycles_per_flit: 3");
  CHECK(alike.size() == 1);
  CHECK(alike.at(12) == Approx(0.1));
  const PacketRates narrow = rates("exceptions: [{from: 1, to: 2, cycles_per_flit: 10}]");
  CHECK(narrow.size() == 2);
  CHECK(narrow.at(4) == Approx(0.1));
  CHECK(narrow.at(40) == Approx(0.025));
  line.workload = "{kind: traffic, load: 0.4, packet_length: [1, 9], packet_weights: [3, 1]}";
  const PacketRates mixed =
      rates("cycles_per_flit: 3, exceptions: [{from: 1, to: 2, cycles_per_flit: 6}]");
  CHECK(mixed.size() == 4);
  CHECK(mixed.at(3) == Approx(0.1));
  CHECK(mixed.at(27) == Approx(0.1 / 3));
  CHECK(mixed.at(6) == Approx(0.025));
  CHECK(mixed.at(54) == Approx(0.025 / 3));
  // Routers that store packets take 1 cycle for each stage and the link before they send the next
  // one.
  line.routing += "\nrouter: {kind: store_and_forward}";
  const PacketRates stored = rates("latency: 1");
  CHECK(stored.size() == 2);
  CHECK(stored.begin()->first > 1);
  CHECK(stored.rbegin()->first == stored.begin()->first + 8);
}

TEST_CASE("a window in which packets on a slow channel are rare has no interval", "[sim]") {
  // Node 1 sends one packet in 200000 cycles over a channel that takes 400 for a flit.
  const program::Folder folder;
  folder.write("m.csv", "source,destination,rate\n0,1,0.2\n1,0,0.2\n3,2,0.2\n1,2,0.00002\n");
  Experiment line = traffic(
      "mesh, sizes: [4]", "dimension_order",
      "packet_length: 4, load: 0, pattern: matrix, matrix: " + (folder.path() / "m.csv").string());
  line.more = "link: {exceptions: [{from: 1, to: 2, cycles_per_flit: 400}]}";
  const Measurement measured = run(make_model(configuration_of(line), false), 10000);
  CHECK(measured.verdict.status == Status::kOk);
  CHECK(measured.interval->unknown == MeanInterval::Unknown::kShortWindow);
  CHECK(measured.interval->relaxation == Approx(200000));
}

TEST_CASE("multicasts under central control are bound by what their receivers take", "[sim]") {
  Experiment clos;
  clos.topology = "{kind: clos, ports: [2], middle_switches: [4], switches: 4}";
  clos.routing = "{kind: central_control}";
  clos.workload = "{kind: clos_requests, fan_out: 3, load: 0.1}";
  CHECK(capacity_of(clos).bound == Approx(1 / 2.0));  // 1, 2 or 3 receivers.
  CHECK(most_loaded(clos).count("4 -> node 0") + most_loaded(clos).count("11 -> node 7") >= 1);
}

TEST_CASE("where traffic does not tell its destinations there is no bound, and it is said why",
          "[sim]") {
  const Configuration configuration = configuration_of(Experiment{});
  const Model model = make_model(configuration, false);
  const OfferedLoad silent{0.9, {5}, [](NodeId, NodeId) { return std::optional<double>(); }};
  const Capacity capacity = flitcast::capacity_of(model.network, silent);
  CHECK_FALSE(capacity.known());
  CHECK_FALSE(capacity.exceeded());
  CHECK(to_text(capacity, model.topology()) ==
        "not known: the traffic does not define the probabilities of its destinations");
}

TEST_CASE("links carry what the analysis expects, below the bound", "[sim]") {
  auto experiment = GENERATE(
      traffic("torus, sizes: [4, 4]", "dimension_order", "load: 0.5, packet_length: 3"),
      traffic("mesh, sizes: [4, 4]", "o1turn", "load: 0.25, pattern: transpose"),
      traffic("hypercube, dimension: 4", "e_cube", "load: 0.3, pattern: bit_reverse"),
      traffic("butterfly, arity: 2, stages: 3", "destination_tag", "load: 0.4, pattern: shuffle"),
      traffic("mesh, sizes: [4, 4]", "dimension_order", "load: 0.1, pattern: hot_spot"),
      traffic("mesh, sizes: [4, 4]", "dimension_order",
              "classes: [{name: a, load: 0.02, packet_length: 1, pattern: hot_spot, reply: b}, "
              "{name: b, packet_length: 4}, {name: c, load: 0.1, pattern: transpose}]"));
  const Configuration configuration = configuration_of(experiment);
  const Model model = make_model(configuration, false);
  const Measurement measured = run(model, 20000);
  INFO(experiment.text());
  REQUIRE(measured.verdict.status == Status::kOk);
  const double longest = model.workload->longest_packet();
  for (const LinkLoad& link : measured.links) {
    const double expected = 20000 * model.capacity->offered * model.capacity->loads[link.channel];
    const double deviation = std::sqrt(expected * longest);  // Random numbers of whole packets.
    INFO(ChannelNumbering(model.topology()).name(link.channel));
    CHECK(std::abs(static_cast<double>(link.flits) - expected) <= 5 * deviation + longest);
  }
}

TEST_CASE("a run above the bound is never ok, however short, and at the bound it may be", "[sim]") {
  const auto [load, exceeds] =
      GENERATE(std::make_pair("0.15", true), std::make_pair("0.142", false));
  const Experiment transpose =
      traffic("mesh, sizes: [8, 8]", "dimension_order",
              std::string("pattern: transpose, packet_length: 4, load: ") + load);
  const Configuration configuration = configuration_of(transpose);
  const Model model = make_model(configuration, false);
  CHECK(model.capacity->exceeded() == exceeds);
  if (exceeds) CHECK(run(model, 1000).verdict.status == Status::kSaturated);
}

TEST_CASE("traffic that goes nowhere, or that nodes cannot send, is noted", "[sim]") {
  CHECK(notes_of(Experiment{}).empty());
  CHECK(notes_of(traffic("hypercube, dimension: 4", "e_cube", "pattern: tornado")) ==
        std::vector<std::string>{"tornado sends every packet back to its own node on hypercube 4: "
                                 "no link carries any"});
  CHECK(notes_of(traffic("mesh, sizes: [4, 4]", "dimension_order", "load: 1.5")) ==
        std::vector<std::string>{"workload.load is 1.5 flits per node and cycle, of which a node "
                                 "can inject 1 at most"});
  CHECK(notes_of(traffic("mesh, sizes: [8, 8]", "dimension_order", "pattern: shuffle")) ==
        std::vector<std::string>{"shuffle permutes the bits of the node number, regardless of the "
                                 "coordinates of mesh 8x8"});
  Experiment lazy = program::with("node: {startup: 45}");
  lazy.workload = "{kind: traffic, load: 0.2}";
  CHECK(notes_of(lazy) == std::vector<std::string>{"workload.load is 0.2 flits per node and cycle, "
                                                   "of which a node can inject 0.1 at most"});
  lazy.more = "node: {startup: 45, ports: 2}";
  CHECK(notes_of(lazy).empty());
}

TEST_CASE("start-ups of requests and of their responses bound a node together", "[sim]") {
  Experiment asked = traffic("mesh, sizes: [4, 4]", "dimension_order",
                             "load: 0.05, packet_length: 4, interface: tlm");
  asked.more = "node: {startup: 45}";
  // A node sends 4 flits of a request in 49 cycles and one of a response in 46; for 4 flits of a
  // request there is one of a response.
  CHECK(capacity_of(asked).bound == Approx((4.0 / 49 + 1.0 / 46) / 1.25));
}

TEST_CASE("routers that store packets send one in each step of the channel: stop and wait",
          "[sim]") {
  for (const double length : {1, 5, 20}) {
    Experiment stored =
        traffic("mesh, sizes: [4, 4]", "dimension_order", fmt::format("packet_length: {}", length));
    stored.more = "router: {kind: store_and_forward}";
    CHECK(capacity_of(stored).bound == Approx(length / (length + 5)));
    stored.more += "\nlink: {latency: 3, cycles_per_flit: 2}";
    CHECK(capacity_of(stored).bound == Approx(length / (2 * length + 7)));
  }
}

TEST_CASE("what nodes take and what lies between two parts bounds adaptive routing, too", "[sim]") {
  const std::string dragonfly = "dragonfly, nodes: 2";
  const Capacity hot = capacity_of(traffic(dragonfly, "ugal", "pattern: hot_spot"));
  const Capacity known = capacity_of(traffic(dragonfly, "dragonfly_minimal", "pattern: hot_spot"));
  CHECK(hot.known());
  CHECK(hot.bound == Approx(known.bound));
  const Experiment middle = traffic("mesh, sizes: [8, 8]", "odd_even", "pattern: bit_complement");
  CHECK(capacity_of(middle).bound == Approx(2.0 / 8));
  const Configuration configuration = configuration_of(middle);
  const Model model = make_model(configuration, false);
  CHECK(model.capacity->name(model.topology()) == "routers 0 to 31 -> the rest");
  CHECK(model.capacity->channels == 8);
  CHECK(model.capacity->channel_load == Approx(32));  // All packets of 32 nodes.
}

TEST_CASE("the ports of a node share its load under adaptive routing, too", "[sim]") {
  const std::string torus = "torus, sizes: [4, 4]";
  Experiment wide = traffic(torus, "minimal_adaptive", "pattern: uniform");
  wide.more = "router: {virtual_channels: 4}\nnode: {ports: 4}";
  CHECK(capacity_of(wide).bound == Approx(8.0 / 4));
  Experiment hot = traffic(torus, "minimal_adaptive", "pattern: hot_spot, hot_fraction: 1");
  hot.more = "router: {virtual_channels: 4}\nnode: {ports: 2}";
  CHECK(capacity_of(hot).bound == Approx(2.0 / 16));
}

TEST_CASE("a bound has no digits of rounding", "[sim]") {
  for (const char* pattern : {"uniform", "neighbour"}) {
    const Capacity capacity = capacity_of(
        traffic("dragonfly, nodes: 2", "dragonfly_valiant", "pattern: " + std::string(pattern)));
    INFO(capacity.bound);
    CHECK(nlohmann::json(capacity.bound).dump().size() < 10);
  }
}
