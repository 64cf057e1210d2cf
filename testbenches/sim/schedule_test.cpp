// SPDX-License-Identifier: Apache-2.0
// `flitcast schedule`: its output, its dumps and its refusals.
#include <cstdlib>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "collective.h"
#include "collective/catalog.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

const Collective kTree{"kind: hypercube, dimension: 2", "e_cube", "binomial_tree", "broadcast",
                       "one"};

std::string schedule(const Collective& collective, const Arguments& more = {}) {
  const Folder folder;
  folder.write("x.yaml", collective.text());
  Arguments arguments{"schedule", "x.yaml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(folder.path(), arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
  return outcome.out;
}

std::string dump(const Collective& collective) { return schedule(collective, {"--dump", "-"}); }

}  // namespace

TEST_CASE("on a snake the node of each rank is a neighbour of the one before", "[program]") {
  const Json plan = Json::parse(
      schedule({"kind: mesh, sizes: [3, 2, 2]", "dimension_order", "ring", "gossip", "one"},
               {"--set", "workload.mapping=snake", "--json"}));
  const auto nodes = plan.at("nodes_of_ranks").get<std::vector<int>>();
  REQUIRE(nodes.size() == 12);
  for (std::size_t rank = 1; rank < nodes.size(); ++rank) {
    const auto apart = [&](int unit, int size) {
      return std::abs(nodes[rank] / unit % size - nodes[rank - 1] / unit % size);
    };
    INFO("rank " << rank << " is node " << nodes[rank]);
    CHECK(apart(1, 3) + apart(3, 2) + apart(6, 2) == 1);
  }
}

TEST_CASE("schedule prints who informs whom in which round, the bound and the time", "[program]") {
  // A round takes 11 cycles of start-up, 7 per hop, and 9 flits.
  CHECK(schedule(kTree, {"--set", "workload.source=1"}) ==
        "x: broadcast by binomial_tree on hypercube 2, store-and-forward, one port\n"
        "  rounds        2\n"
        "  lower bound   2 rounds: met (eccentricity of the source)\n"
        "  claim         broadcast.sbt.one_port, at most n = 2 rounds: holds with equality\n"
        "  transmissions 3, 0 duplicates\n"
        "  analytic      54 cycles (ts 11, td 7, tm 1, m 9; wormhole)\n"
        "  round 1    1 send, 1 new, longest path 1: 1->0\n"
        "  round 2    2 sends, 2 new, longest path 1: 1->3 0->2\n");
}

TEST_CASE("schedule tells by how much a bound is missed", "[program]") {
  const std::string text =
      schedule({"kind: torus, sizes: [6, 6]", "dimension_order", "dilated_diagonal"});
  INFO(text);
  CHECK(text.find("rounds        5\n") != std::string::npos);
  CHECK(text.find("lower bound   3 rounds: missed by 2 (ceil(log_5 N))\n") != std::string::npos);
}

TEST_CASE("a bound counts the ports of the nodes, not those that the algorithm uses", "[program]") {
  const auto bound = [](const Collective& collective, const Arguments& more = {}) {
    const std::string text = schedule(collective, more);
    const std::size_t begin = text.find("  lower bound");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string complete = "kind: complete, nodes: 27";
  CHECK(bound({complete, "shortest_path", "flooding"}) ==
        "  lower bound   1 rounds: met (eccentricity of the source)");
  CHECK(bound({complete, "shortest_path", "binomial"}) ==
        "  lower bound   1 rounds: missed by 4 (ceil(log_27 N))");
  CHECK(bound({complete, "shortest_path", "binomial", "broadcast", "one"}) ==
        "  lower bound   5 rounds: met (holders of the chunk at most double)");
  CHECK(bound({complete, "shortest_path", "binomial", "broadcast", "2"}) ==
        "  lower bound   3 rounds: missed by 2 (ceil(log_3 N))");
  const std::string clos = "kind: clos, middle_switches: 16, ports: 4, switches: 5";
  CHECK(bound({clos, "central_control", "multicast_rounds", "broadcast", "one"},
              {"--set", "router={kind: circuit}"}) ==
        "  lower bound   1 rounds: met (one message)");
}

TEST_CASE("broadcasts that are proven to be optimal meet their bounds", "[program]") {
  const auto is_met = [](const Collective& collective, const Arguments& more = {}) {
    return schedule(collective, more).find(" rounds: met (") != std::string::npos;
  };
  for (const int dimension : {5, 6, 9, 10}) {
    const std::string cube = "kind: hypercube, dimension: " + std::to_string(dimension);
    CHECK(is_met({cube, "e_cube", dimension < 9 ? "double_tree" : "ho_kao"}));
  }
  const std::string torus = "kind: torus, sizes: [5, 5]";
  CHECK(is_met({torus, "dimension_order", "dilated_diagonal"}));
  CHECK(is_met({torus, "o1turn", "recursive_tiling"}));
  // One-port sources between farthest nodes on both sides, and in the centre.
  for (const char* source : {"7", "12", "10"}) {
    CHECK(is_met(
        {"kind: mesh, sizes: [5, 5]", "dimension_order", "dimension_order", "broadcast", "one"},
        {"--set", std::string("workload.source=") + source}));
  }
}

/// Returns the bounds that `schedule` prints, by the way in which messages move, for all algorithms
/// that are defined for the operation; no algorithm may take fewer rounds.
std::map<std::string, std::set<std::string>> bounds_of_all(Collective collective,
                                                           flitcast::Operation operation) {
  const Folder folder;
  std::map<std::string, std::set<std::string>> bounds;
  collective.operation = flitcast::to_text(operation);
  for (const flitcast::CollectiveEntry& entry : flitcast::collectives()) {
    if (!entry.carries_out(operation)) continue;
    collective.algorithm = entry.name;
    folder.write("x.yaml", collective.text());
    const Outcome outcome = run(folder.path(), {"schedule", "x.yaml"});
    if (outcome.exit_code == 2) continue;
    INFO(entry.name << " on " << collective.topology << "\n" << outcome.err << outcome.out);
    REQUIRE(outcome.exit_code == 0);
    const std::size_t begin = outcome.out.find("  lower bound   ");
    const std::string title = outcome.out.substr(0, outcome.out.find('\n'));
    const bool stored = title.find(", store-and-forward") != std::string::npos;
    const bool copied = entry.copy != nullptr || collective.algorithm == "multicast_rounds";
    const bool combined = collective.algorithm == "switch_tree";
    bounds[combined ? "routers"
           : stored ? "packets"
           : copied ? "copies"
                    : "messages"]
        .insert(outcome.out.substr(begin, outcome.out.find(" rounds", begin) - begin));
  }
  return bounds;
}

TEST_CASE("for one network, ports and operation there is one bound, which no algorithm beats",
          "[program]") {
  using Op = flitcast::Operation;
  for (const auto& [topology, routing] : std::map<std::string, std::string>{
           {"kind: complete, nodes: 27", "shortest_path"},
           {"kind: hypercube, dimension: 5", "e_cube"},
           {"kind: mesh, sizes: [5, 5]", "dimension_order"},
           {"kind: torus, sizes: [5, 5]", "o1turn"},
           {"kind: fat_tree, arity: 2, levels: 3", "adaptive_ascent"}}) {
    for (const char* ports : {"one", "all"}) {
      for (const Op operation : {Op::kBroadcast, Op::kGossip, Op::kMulticast, Op::kAllReduce}) {
        INFO(topology << ", " << ports << ", " << flitcast::to_text(operation));
        for (const auto& [way, bounds] :
             bounds_of_all({topology, routing, "", "", ports}, operation)) {
          // Two algorithms for tori have two chunks a node.
          const bool several = way == "packets" && operation == Op::kGossip;
          INFO(way);
          CHECK((bounds.size() == 1 || several));
        }
      }
    }
  }
}

TEST_CASE("schedule prints the chunk of every send where there are several", "[program]") {
  const std::string text =
      schedule({"kind: hypercube, dimension: 2", "e_cube", "cube_classes", "gossip"});
  INFO(text);
  CHECK(text.find("round 2    4 sends, 4 new, longest path 1: 2->3:0 3->2:1 0->1:2 1->0:3\n") !=
        std::string::npos);
}

TEST_CASE("a long round is cut short on the terminal, and whole in the dump", "[program]") {
  Collective collective{"kind: complete, nodes: 32", "shortest_path", "doubling", "broadcast",
                        "one"};
  const std::string text = schedule(collective);
  INFO(text);
  CHECK(text.find("round 5    16 sends, 16 new, longest path 1: 0->16 ") != std::string::npos);
  CHECK(text.find("11->27 ...\n") != std::string::npos);
  const std::string all = dump(collective);
  CHECK(std::count(all.begin(), all.end(), '\n') == 31);
}

TEST_CASE("lists of twelve nodes are printed whole, and longer ones end in dots", "[program]") {
  const auto multicast = [](const std::string& receivers) {
    return schedule(
        {"kind: clos, middle_switches: 16, ports: 4, switches: 5", "central_control",
         "multicast_rounds", "multicast", "one"},
        {"--set", "router={kind: circuit}", "--set", "workload.receivers=" + receivers});
  };
  CHECK(says(multicast("12"), " 0->{1 2 3 4 5 6 7 8 9 10 11 12}\n"));
  CHECK(says(multicast("13"), " 0->{1 2 3 4 5 6 7 8 9 10 11 12 ...}\n"));
  const auto ranks = [](const std::string& nodes) {
    return schedule({"kind: ring, nodes: " + nodes, "dimension_order", "ring", "gossip", "one"},
                    {"--set", "workload.mapping=snake"});
  };
  CHECK(says(ranks("12"), "at nodes 0 1 2 3 4 5 6 7 8 9 10 11\n"));
  CHECK(says(ranks("13"), "at nodes 0 1 2 3 4 5 6 7 8 9 10 11 ...\n"));
}

TEST_CASE("a schedule of 64 rounds is printed whole, and of more rounds the number is told",
          "[program]") {
  // On a ring of n nodes a chunk takes n - 1 rounds to all of them.
  const auto last_line = [](const std::string& nodes) {
    std::string text =
        schedule({"kind: ring, nodes: " + nodes, "dimension_order", "ring", "gossip", "one"});
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  };
  CHECK(last_line("65").rfind("  round 64 ", 0) == 0);
  CHECK(last_line("66") == "  ... 1 round more");
  CHECK(last_line("67") == "  ... 2 rounds more");
}

TEST_CASE("a dump of stored packets has round, from, to and packet", "[program]") {
  CHECK(dump(kTree) == "1 0 1 0\n2 0 2 0\n2 1 3 0\n");
}

TEST_CASE("a dump tells the two links of a wrapped size of two apart", "[program]") {
  CHECK(dump({"kind: torus, sizes: [2, 3]", "dimension_order", "dimension_order"}) ==
        "1 0 1 0 +\n1 0 2 0\n1 0 4 0\n2 1 3 0\n2 1 5 0\n");
}

TEST_CASE("a dump of wormholes has the nodes on the way", "[program]") {
  CHECK(dump({"kind: mesh, sizes: [5]", "dimension_order", "chain_halving", "broadcast", "one"}) ==
        "1 0 3 1 2\n2 0 2 1\n2 3 4\n3 0 1\n");
}

TEST_CASE("a dump into a file leaves the terminal to the verification", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kTree.text());
  const Outcome outcome = run(folder.path(), {"schedule", "x.yaml", "--dump", "a/x.txt"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("x: broadcast by binomial_tree") == 0);
  CHECK(folder.read("a/x.txt") == "1 0 1 0\n2 0 2 0\n2 1 3 0\n");
}

TEST_CASE("the verification as JSON is that of the result, and has the claims", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kTree.text());
  Json verification = Json::parse(schedule(kTree, {"--json"}));
  const Json& claim = verification.at("claims").at(0);
  CHECK(claim.at("id") == "broadcast.sbt.one_port");
  CHECK(claim.at("at_most") == "n");
  CHECK(claim.at("rounds") == 2);
  CHECK(claim.at("verdict") == "holds with equality");
  CHECK(verification.at("claims").size() == 1);
  verification.erase("claims");
  CHECK(verification["new_per_round"] == std::vector<int>{1, 2});
  Json result = result_of(folder.path(), "x.yaml")["collective"];
  result.erase("cycles");
  CHECK(verification == result);
}

TEST_CASE("a point of a sweep has its schedule", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kTree.text() + "sweep: {workload.source: [3, 2]}\n");
  const Outcome outcome = run(folder.path(), {"schedule", "x.yaml", "--point", "1"});
  CHECK(outcome.out.find("round 1    1 send, 1 new, longest path 1: 2->3") != std::string::npos);
  CHECK(refusal(folder, {"schedule", "x.yaml"}).find("x.yaml: sweep: there are 2 points") == 0);
}

TEST_CASE("what is no collective has no schedule, and nothing is written over the experiment",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(refusal(folder, {"schedule", "x.yaml", "--dump", "y.txt"}) ==
        "x.yaml:3:18: workload.kind: a schedule belongs to a collective operation or a "
        "permutation; write workload: "
        "{kind: collective, operation: ...}\n");
  folder.write("x.yaml", kTree.text());
  CHECK(refusal(folder, {"schedule", "x.yaml", "--dump", "./x.yaml"})
            .find("--dump: \"./x.yaml\" is read by this experiment") == 0);
  CHECK(folder.read("x.yaml") == kTree.text());
}

TEST_CASE(
    "schedule refuses a routing that does not take the paths of the plan, as check and run do",
    "[program]") {
  const Folder folder;
  folder.write("x.yaml", Collective{"kind: torus, sizes: [5, 5]", "dimension_order",
                                    "recursive_tiling", "broadcast", "all"}
                             .text());
  const std::string said = refusal(folder, {"schedule", "x.yaml"});
  CHECK(says(said, "routing.kind: dimension_order does not take the path that recursive_tiling"));
  for (const char* command : {"check", "run"}) CHECK(refusal(folder, {command, "x.yaml"}) == said);
}

namespace {

std::string torus(const std::string& sizes) { return "kind: torus, sizes: [" + sizes + "]"; }

const Collective kLevels{"kind: mesh, sizes: [16, 16]", "dimension_order",
                         "extended_dominating_nodes"};

/// Returns the experiment of a permutation on a mesh of 8 x 8.
std::string permutation_by(const std::string& algorithm) {
  return "name: x\ntopology: {kind: mesh, sizes: [8, 8]}\nrouting: {kind: dimension_order}\n"
         "router: {kind: store_and_forward}\nworkload: {kind: permutation, permutation: transpose, "
         "algorithm: " +
         algorithm + "}\n";
}

Json outline(const std::string& experiment) {
  const Folder folder;
  folder.write("x.yaml", experiment);
  const Outcome outcome = run(folder.path(), {"schedule", "x.yaml", "--json"});
  INFO(experiment << outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

std::vector<std::string> phases_of(const std::string& experiment) {
  std::vector<std::string> names;
  const Json phases = outline(experiment).value("phases", Json::array());
  for (const Json& phase : phases) names.push_back(phase.at("name").get<std::string>());
  return names;
}

/// Returns the formulas and verdicts of the statements about a schedule, by their ids.
std::map<std::string, std::string> claims_of(const Collective& collective) {
  std::map<std::string, std::string> claims;
  const Json all = outline(collective.text()).value("claims", Json::array());
  for (const Json& claim : all) {
    claims[claim.at("id").get<std::string>()] = claim.at("at_most").get<std::string>() + " = " +
                                                claim.at("rounds").dump() + ": " +
                                                claim.at("verdict").get<std::string>();
  }
  return claims;
}

std::size_t sum_of(const Json& numbers) {
  std::size_t sum = 0;
  for (const Json& one : numbers) sum += one.get<std::size_t>();
  return sum;
}

}  // namespace

TEST_CASE("the levels of extended dominating nodes have names and sizes", "[program]") {
  const std::string text = schedule(kLevels, {"--set", "workload.source=37"});
  INFO(text);
  CHECK(says(text, "\n  phase      level 3 of 4 nodes: 4 new\n  round 1 "));
  CHECK(says(text, "\n  phase      level 2 of 12 nodes: 12 new\n  round 3 "));
  CHECK(says(text, "\n  phase      level 1 of 48 nodes: 48 new\n  round 4 "));
  CHECK(says(text, "\n  phase      level 0 of 192 nodes: 191 new\n  round 5 "));
  CHECK(phases_of(kLevels.text()) ==
        std::vector<std::string>{"level 3 of 4 nodes", "level 2 of 12 nodes", "level 1 of 48 nodes",
                                 "level 0 of 192 nodes"});
}

TEST_CASE("schedules name their phases, which follow one another over all rounds", "[program]") {
  using Names = std::vector<std::string>;
  const std::vector<std::pair<Collective, Names>> cases{
      {{torus("6, 7"), "dimension_order", "dilated_diagonal"},
       {"phase 1, a copy into every row", "phase 2, to the dilated diagonal",
        "phase 3, bands beside the diagonal", "phase 4, lines that the dilation omits"}},
      {{torus("25, 25"), "o1turn", "recursive_tiling"}, {"scale 5", "scale 1"}},
      {{torus("4, 5"), "dimension_order", "recursive_doubling", "broadcast", "one"},
       {"dimension 0", "dimension 1"}},
      {{torus("4, 5"), "dimension_order", "zigzag_trails", "gossip"},
       {"entries pass suppliers", "suppliers change direction"}},
      {{torus("4, 4"), "dimension_order", "hamiltonian_cycles", "gossip"},
       {"forward and backward", "forward only"}},
      {{torus("4, 4"), "dimension_order", "rabenseifner", "all_reduce", "one"},
       {"reduce-scatter", "all-gather"}},
      {{torus("3, 4"), "dimension_order", "recursive_doubling", "all_reduce", "one"},
       {"fold", "exchange", "unfold"}},
      {{torus("4, 4"), "dimension_order", "hierarchical", "all_reduce", "one"},
       {"reduce-scatter within groups", "all-reduce between peers", "all-gather within groups"}},
      {{torus("4, 4"), "dimension_order", "reduction_tree", "all_reduce", "one"},
       {"reduction", "broadcast"}},
      {{torus("4, 4"), "dimension_order", "scatter_all_gather", "broadcast", "one"},
       {"scatter", "all-gather"}},
      {kTree, {}},
      {{torus("4, 4"), "dimension_order", "ring", "gossip", "one"}, {}}};
  for (const auto& [collective, names] : cases) {
    INFO(collective.text());
    CHECK(phases_of(collective.text()) == names);
    const Json figures = outline(collective.text());
    if (names.empty()) continue;
    std::size_t last = 0;
    std::size_t news = 0;
    for (const Json& phase : figures.at("phases")) {
      CHECK(phase.at("first_round") == last + 1);
      last = phase.at("last_round").get<std::size_t>();
      news += phase.at("new").get<std::size_t>();
    }
    CHECK(last == figures.at("new_per_round").size());
    CHECK(news == sum_of(figures.at("new_per_round")));
  }
}

TEST_CASE("the phases of a permutation have names and steps", "[program]") {
  CHECK(phases_of(permutation_by("off_line")) ==
        std::vector<std::string>{"within columns", "within rows", "within columns"});
  CHECK(phases_of(permutation_by("two_phase")) ==
        std::vector<std::string>{"to random nodes", "to the destinations"});
  CHECK(phases_of(permutation_by("dimension_order")).empty());
  const std::string sorting = permutation_by("shearsort");
  std::vector<std::string> names;
  for (int pass = 0; pass < 3; ++pass) names.insert(names.end(), {"sort columns", "sort rows"});
  names.insert(names.end(),
               {"sort columns", "reverse every second column", "along rows", "along columns"});
  CHECK(phases_of(sorting) == names);
  const Json figures = outline(sorting);
  std::size_t steps = 0;
  for (const Json& phase : figures.at("phases")) steps += phase.at("steps").get<std::size_t>();
  CHECK(figures.at("steps") == steps);
  const Folder folder;
  folder.write("x.yaml", sorting);
  CHECK(says(run(folder.path(), {"schedule", "x.yaml"}).out,
             "\n  phase         reverse every second column, 7 steps\n"));
}

TEST_CASE("a schedule says which statements of the documents it meets or misses", "[program]") {
  const std::string cube = "kind: hypercube, dimension: ";
  using Claims = std::map<std::string, std::string>;
  const std::vector<std::pair<Collective, Claims>> cases{
      {kLevels, {{"broadcast.edn.rounds", "2k + 1 = 5: holds with equality"}}},
      {{torus("5, 5"), "dimension_order", "dilated_diagonal"},
       {{"broadcast.diagonal.general", "ceil(log5 N) + 5 = 7: holds with 4 to spare"},
        {"broadcast.diagonal.optimal", "log5 N = 2: missed by 1"}}},
      {{torus("5, 5"), "o1turn", "recursive_tiling"},
       {{"broadcast.tiling", "log5 N = 2: holds with equality"}}},
      {{cube + "2", "e_cube", "double_tree"},
       {{"broadcast.dta.rounds", "ceil(n/2) = 1: missed by 1"}}},
      {{cube + "9", "e_cube", "ho_kao"},
       {{"broadcast.hka.near_optimal", "ceil(n / log2(n+1)) + 2 = 5: holds with 1 to spare"}}},
      {{cube + "4", "e_cube", "binomial_tree"},
       {{"broadcast.sbt.all_port", "n = 4: holds with equality"}}},
      {{cube + "4", "e_cube", "cube_classes", "gossip"},
       {{"broadcast.lower_bounds.aab", "ceil((2^n - 1)/n) = 4: holds with equality"}}},
      {{"kind: mesh, sizes: [5, 5]", "dimension_order", "recursive_doubling", "broadcast", "one"},
       {{"broadcast.wh.mesh_doubling", "sum of ceil(log2 z) = 6: holds with equality"},
        {"broadcast.wh.mesh_doubling_optimal", "ceil(log2 N) = 5: missed by 1"}}},
      {{"kind: mesh, sizes: [3, 4]", "dimension_order", "dimension_order"},
       {{"broadcast.mesh.all_port", "the diameter = 5: holds with equality"}}},
      {{torus("4, 5"), "dimension_order", "zigzag_cycles", "gossip"},
       {{"gossip.theorem_1", "ceil(P/2) = 10: holds with equality"}}},
      {{torus("4, 4"), "dimension_order", "zigzag_trails", "gossip"},
       {{"gossip.theorem_2", "P/4 + n1/2 + 1 = 7: holds with 1 to spare"}}},
      {{torus("9, 15"), "dimension_order", "zigzag_trails", "gossip"},
       {{"gossip.theorem_2", "P/4 + n1/2 + 1 = 40: missed by 2"}}},
      {{torus("3, 3, 3"), "dimension_order", "zigzag_trails", "gossip"},
       {{"gossip.theorem_3", "P/6 + n2 n3/2 + 1 = 10: holds with 1 to spare"},
        {"gossip.theorem_4", "P/(2d) + P/(2 n1) + 1 = 10: holds with 1 to spare"}}},
      {{torus("4, 4"), "dimension_order", "disjoint_trees", "gossip"},
       {{"gossip.soch_tvrdik", "ceil((P - 1)/4) = 4: holds with equality"}}},
      {{torus("3, 3"), "dimension_order", "hamiltonian_cycles", "gossip"},
       {{"gossip.hamiltonian", "P/2 = 5: holds with 1 to spare"}}},
      {{torus("4, 4"), "dimension_order", "binomial", "broadcast", "one"}, {}}};
  const Folder folder;
  const std::string catalog = run(folder.path(), {"claims"}).out;
  for (const auto& [collective, claims] : cases) {
    INFO(collective.text());
    CHECK(claims_of(collective) == claims);
    for (const auto& [id, text] : claims) {
      if (id.rfind("gossip.", 0) == 0) CHECK(says(catalog, id));
    }
  }
}

namespace {

/// Step, sender and receiver.
using Sends = std::multiset<std::tuple<int, int, int>>;

/// Returns the sends of a dump, whose lines begin with step, sender and receiver.
Sends sends_of_dump(const std::string& dump) {
  Sends sends;
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream text(line);
    const std::vector<int> numbers{std::istream_iterator<int>(text), {}};
    sends.emplace(numbers.at(0), numbers.at(1), numbers.at(2));
  }
  return sends;
}

/// Returns all matches of the first group of an expression.
std::vector<std::string> matches(const std::string& text, const std::string& expression) {
  const std::regex pattern(expression);
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    all.push_back((*it)[1]);
  }
  return all;
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& one : matches(text, "(-?[0-9]+\\.?[0-9]*(?:e-?[0-9]+)?)")) {
    numbers.push_back(std::stod(one));
  }
  return numbers;
}

/// Checks that arrows, labels and nodes lie in the picture.
void check_positions(const std::string& svg) {
  const std::vector<double> box = numbers_in(matches(svg, "viewBox=\"([^\"]*)\"").at(0));
  const auto inside = [&](double x, double y) {
    return x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3];
  };
  for (const char* pair : {" x(=\"[^\"]*\" y=\"[^\"]*)\"", " cx(=\"[^\"]*\" cy=\"[^\"]*)\""}) {
    for (const std::string& place : matches(svg, pair)) {
      const std::vector<double> at = numbers_in(place);
      CHECK(inside(at.at(0), at.at(1)));
    }
  }
  for (const std::string& path : matches(svg, "<path d=\"([^\"]*)\"")) {
    const std::vector<double> at = numbers_in(path);
    REQUIRE(at.size() == 12);  // The begin, the control point, the end, and the head.
    CHECK(inside(at[0], at[1]));
    for (std::size_t i = 4; i < at.size(); i += 2) CHECK(inside(at[i], at[i + 1]));
  }
}

}  // namespace

TEST_CASE("a picture of a schedule has every transmission once, at places inside it", "[program]") {
  struct Case {
    std::string experiment;
    std::size_t nodes;  // As drawn: once for each step if there are as many sends as nodes.
  };
  for (const auto& [experiment, nodes] : {
           Case{kLevels.text(), 256},
           Case{Collective{torus("4, 6"), "dimension_order", "dilated_diagonal"}.text(), 24},
           Case{Collective{"kind: mesh, sizes: [2, 3, 3]", "dimension_order", "dimension_order"}
                    .text(),
                18},
           Case{Collective{"kind: ring, nodes: 9", "dimension_order", "recursive_doubling",
                           "broadcast", "one"}
                    .text(),
                9},
           Case{Collective{"kind: hypercube, dimension: 5", "e_cube", "ho_kao"}.text(), 32},
           Case{Collective{torus("3, 4"), "dimension_order", "zigzag_trails", "gossip"}.text(),
                std::size_t{12} * 5},
           Case{permutation_by("off_line"), std::size_t{64} * 3},
       }) {
    const Folder folder;
    folder.write("x.yaml", experiment);
    const Outcome outcome =
        run(folder.path(), {"schedule", "x.yaml", "--draw", "a/x.svg", "--dump", "x.txt"});
    INFO(experiment << outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(says(outcome.out, "x: "));
    const std::string svg = folder.read("a/x.svg");
    CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" ", 0) == 0);
    Sends drawn;
    for (const std::string& title : matches(svg, "<title>(step [^<]*)</title>")) {
      const std::vector<double> at = numbers_in(title);
      drawn.emplace(static_cast<int>(at.at(0)), static_cast<int>(at.at(1)),
                    static_cast<int>(at.at(2)));
    }
    CHECK(drawn == sends_of_dump(folder.read("x.txt")));
    CHECK(matches(svg, "(<circle )").size() == nodes);
    CHECK(matches(svg, "<title>step ([0-9]+):") ==
          matches(svg, "paint-order=\"stroke\">([0-9]+)</text></g>"));
    check_positions(svg);
  }
}

TEST_CASE("a picture of ranks that are placed has their nodes", "[program]") {
  const Folder folder;
  folder.write(
      "x.yaml",
      Collective{"kind: ring, nodes: 4", "dimension_order", "ring", "gossip", "one"}.text());
  REQUIRE(run(folder.path(),
              {"schedule", "x.yaml", "--draw", "x.svg", "--set", "workload.mapping=[2, 0, 3, 1]"})
              .exit_code == 0);
  // A rank sends to the next in each of the three rounds.
  std::vector<std::string> expected;
  for (const char* step : {"1", "2", "3"}) {
    for (const char* pair :
         {"node 0 to node 3", "node 1 to node 2", "node 2 to node 0", "node 3 to node 1"}) {
      expected.push_back(std::string("step ") + step + ": " + pair);
    }
  }
  std::vector<std::string> drawn = matches(folder.read("x.svg"), "<title>(step [^<]*)</title>");
  std::sort(drawn.begin(), drawn.end());
  CHECK(drawn == expected);
}

TEST_CASE("what cannot be drawn is refused with what can", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Collective{"kind: fat_tree, arity: 2, levels: 2", "adaptive_ascent",
                                    "ring", "gossip", "one"}
                             .text());
  CHECK(refusal(folder, {"schedule", "x.yaml", "--draw", "x.svg"}) ==
        "x.yaml:1:18: topology.kind: schedules are drawn on meshes, tori, rings and hypercubes, "
        "not on fat_tree 2-ary 2-tree; use one of these, or write all sends with --dump\n");
  folder.write(
      "x.yaml",
      Collective{torus("16, 16"), "dimension_order", "hamiltonian_cycles", "gossip"}.text());
  CHECK(says(refusal(folder, {"schedule", "x.yaml", "--draw", "x.svg"}),
             "topology.kind: 130560 sends are more than the 20000 that a picture can show; use a "
             "smaller network, or write all sends with --dump\n"));
  folder.write("x.yaml", kTree.text());
  CHECK(refusal(folder, {"schedule", "x.yaml", "--draw", "-"}) ==
        "--draw: \"-\" is no SVG file; write it to schedule.svg\n");
  CHECK(refusal(folder, {"schedule", "x.yaml", "--draw", "x.png"}) ==
        "--draw: \"x.png\" is no SVG file; write it to schedule.svg\n");
  CHECK(says(refusal(folder, {"schedule", "x.yaml", "--draw", "x.yaml"}),
             "--draw: \"x.yaml\" is read by this experiment"));
  CHECK(refusal(folder, {"schedule", "x.yaml", "--draw", "x.svg", "--compare"}) ==
        "--draw and --compare exclude each other; give one of them\n");
}
