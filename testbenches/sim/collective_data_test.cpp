// SPDX-License-Identifier: Apache-2.0
// Reductions of data in the program: effects of the order of operands, and the cost of combining.
#include <set>

#include "collective.h"
#include "collective/arithmetic.h"

using namespace flitcast::program;

namespace {

/// Returns a reduction on a 4x4 torus with all-port nodes: contributions meet at nodes.
Collective tree(const std::string& operation) {
  return {"kind: torus, sizes: [4, 4]", "dimension_order", "reduction_tree", operation};
}

Json result_with(const Collective& collective, const std::vector<std::string>& set) {
  const Folder folder;
  folder.write("x.yaml", collective.text());
  Arguments arguments;
  for (const std::string& assignment : set) {
    arguments.push_back("--set");
    arguments.push_back(assignment);
  }
  return result_of(folder.path(), "x.yaml", arguments);
}

std::string digest(const Json& result) { return result.at("collective").at("data").at("digest"); }

}  // namespace

TEST_CASE("all-reduces of integers agree on the bits, of floats each algorithm has its own",
          "[program]") {
  std::set<std::string> of_integers;
  std::set<std::string> of_floats;
  for (const char* algorithm : {"ring", "recursive_doubling", "rabenseifner"}) {
    const Collective one{"kind: hypercube, dimension: 4", "e_cube", algorithm, "all_reduce", "one"};
    of_integers.insert(digest(result_with(one, {"workload.data.operator=add"})));
    const Json floats =
        result_with(one, {"workload.data.operator=add", "workload.data.type=float32"});
    of_floats.insert(digest(floats));
    CHECK(floats.at("collective").at("data").at("differing") > 0);
  }
  CHECK(of_integers.size() == 1);
  CHECK(of_floats.size() == 3);
}

TEST_CASE("what arrives at a node in one round is combined in the order of the plan", "[program]") {
  std::set<std::string> digests;
  for (const char* latency : {"1", "3", "7"}) {
    for (const char* router : {"wormhole", "store_and_forward"}) {
      Collective one = tree("all_reduce");
      one.router = router;
      digests.insert(
          digest(result_with(one, {"workload.data.operator=add", "workload.data.type=float32",
                                   "workload.length=50", std::string("link.latency=") + latency})));
    }
  }
  CHECK(digests.size() == 1);
}

TEST_CASE("combining takes its cycles at every node that combines, as the analytic time says",
          "[program]") {
  for (const char* operation : {"reduce", "all_reduce"}) {
    const std::vector<std::string> data{"workload.data.operator=add", "workload.data.elements=4"};
    const Json quick = result_with(tree(operation), data);
    auto more = data;
    more.push_back("workload.data.combine_cycles=2");
    const Json slow = result_with(tree(operation), more);
    CHECK(measured(quick) == analytic(quick));
    CHECK(measured(slow) == analytic(slow));
    // A node has at most two children in a dimension: it combines 36 elements from each, in at most
    // 4 rounds.
    CHECK(measured(slow) >= measured(quick) + 4 * 72);
  }
}

TEST_CASE("a collective lasts to its last combination, not to that of the last message",
          "[program]") {
  // One rank gets 2 of 4 flits, with 4 elements each, and the others 1. The message from the end
  // of the line to its begin arrives last, at a rank that combines 1.
  const Json result =
      result_with({"kind: mesh, sizes: [3]", "dimension_order", "ring", "reduce_scatter", "one"},
                  {"workload.length=4", "workload.data.operator=add", "workload.data.elements=4",
                   "workload.data.combine_cycles=1000"});
  CHECK(measured(result) > 2 * 2 * 4 * 1000);  // Two rounds, in each of which a rank combines 2.
  CHECK(measured(result) < 2 * 2 * 4 * 1000 + 200);
}

TEST_CASE("a multicast brings the result of real data to all on a Clos network", "[program]") {
  Collective one{"kind: clos, ports: 4, middle_switches: 7, switches: 4", "central_control",
                 "multicast_rounds", "all_reduce", "one"};
  const Json result = result_with(one, {"workload.data.operator=mul", "router.virtual_channels=1",
                                        "workload.data.combine_cycles=1"});
  CHECK(result.at("status") == "ok");
  CHECK(measured(result) == analytic(result));
}

TEST_CASE("switches give integers the bits that nodes give them, by every operator", "[program]") {
  for (const flitcast::Arithmetic::Operator& op : flitcast::Arithmetic::operators()) {
    INFO(op.name);
    const auto data_by = [&](const char* algorithm, const char* operation) {
      return result_with(
          {"kind: fat_tree, arity: 2, levels: 3", "d_mod_k", algorithm, operation, "one"},
          {std::string("workload.data.operator=") + op.name, "workload.data.elements=3"});
    };
    for (const char* operation : {"reduce", "all_reduce"}) {
      const Json switches = data_by("switch_tree", operation);
      CHECK(digest(switches) == digest(data_by("binomial", operation)));
      CHECK(switches.at("collective").at("data").at("differing") == 0);
      // Seven combinations make one sum of eight vectors of 9 flits.
      CHECK(switches.at("collective").at("data").at("combined") == 7 * 9 * 3);
      CHECK(measured(switches) == analytic(switches));
    }
  }
}

TEST_CASE("one switch adds floats in the order of its inputs, a tree in that of its levels",
          "[program]") {
  const auto differing = [](const char* topology) {
    return result_with(
               {topology, "shortest_path", "switch_tree", "all_reduce", "one"},
               {"workload.data.operator=add", "workload.data.type=float32", "workload.length=64"})
        .at("collective")
        .at("data")
        .at("differing")
        .get<int>();
  };
  CHECK(differing("kind: crossbar, nodes: 8") == 0);
  CHECK(differing("kind: fat_tree, arity: 2, levels: 3") > 0);
}
