// SPDX-License-Identifier: Apache-2.0
// `flitcast schedule`: its output, its dumps and its refusals.
#include <map>
#include <set>

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

TEST_CASE("schedule prints who informs whom in which round, the bound and the time", "[program]") {
  // A round takes 11 cycles of start-up, 7 per hop, and 9 flits.
  CHECK(schedule(kTree, {"--set", "workload.source=1"}) ==
        "x: broadcast by binomial_tree on hypercube 2, store-and-forward, one port\n"
        "  rounds        2\n"
        "  lower bound   2 rounds: met (eccentricity of the source)\n"
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
  CHECK(bound({complete, "shortest_path", "multicast_rounds"}) ==
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
    bounds[stored   ? "packets"
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

TEST_CASE("the verification as JSON is that of the result", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kTree.text());
  const Json verification = Json::parse(schedule(kTree, {"--json"}));
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
