// SPDX-License-Identifier: Apache-2.0
// Collective operations on the network, compared with theory.
#include "collective.h"

using namespace flitcast::program;

namespace {

struct CountedCollective {
  Collective collective;
  std::uint64_t rounds;
};

const std::vector<CountedCollective> kCollectives{
    {{"kind: hypercube, dimension: 4", "e_cube", "binomial_tree", "broadcast", "one"}, 4},
    {{"kind: hypercube, dimension: 5", "e_cube", "ho_kao"}, 3},
    {{"kind: hypercube, dimension: 5", "e_cube", "double_tree", "broadcast", "all",
      "store_and_forward"},
     3},
    {{"kind: hypercube, dimension: 4", "e_cube", "cube_classes", "gossip"}, 4},
    {{"kind: hypercube, dimension: 4", "e_cube", "cube_classes", "scatter", "all",
      "store_and_forward"},
     4},
    {{"kind: hypercube, dimension: 4", "e_cube", "cube_colouring", "all_to_all_scatter"}, 8},
    {{"kind: mesh, sizes: [7, 5]", "dimension_order", "recursive_doubling", "broadcast", "one"}, 6},
    {{"kind: mesh, sizes: [6, 5]", "dimension_order", "chain_halving", "broadcast", "one",
      "virtual_cut_through"},
     5},
    {{"kind: torus, sizes: [5, 5]", "o1turn", "recursive_tiling"}, 2},
    {{"kind: torus, sizes: [7, 6]", "dimension_order", "dilated_diagonal"}, 6},
    {{"kind: torus, sizes: [4, 6]", "dimension_order", "zigzag_cycles", "gossip", "all",
      "store_and_forward"},
     12},
    {{"kind: torus, sizes: [5, 4]", "dimension_order", "disjoint_trees", "gossip"}, 5},
    {{"kind: complete, nodes: 9", "shortest_path", "doubling", "broadcast", "one"}, 4},
    {{"kind: mesh, sizes: [4, 3]", "dimension_order", "flooding", "broadcast", "all",
      "store_and_forward"},
     5},
    {{"kind: torus, sizes: [2, 3]", "dimension_order", "dimension_order", "broadcast", "all",
      "store_and_forward"},
     2},
};

std::string summary_of(const Folder& folder, const std::string& file) {
  const Outcome outcome = run(folder.path(), {"run", file});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

}  // namespace

TEST_CASE("rounds take exactly the analytic time, self-timed nodes no longer", "[program]") {
  const Folder folder;
  for (const CountedCollective& one : kCollectives) {
    INFO(one.collective.text());
    folder.write("x.yaml", one.collective.text());
    const Json rounds = result_of(folder.path(), "x.yaml");
    CHECK(rounds["collective"]["rounds"] == one.rounds);
    CHECK(rounds["packets"]["delivered"] == rounds["collective"]["transmissions"]);
    CHECK(measured(rounds) == analytic(rounds));
    // This is no theorem: messages of two rounds may meet, but in these networks they do not delay
    // each other.
    const Json self_timed =
        result_of(folder.path(), "x.yaml", {"--set", "workload.timing=self_timed"});
    CHECK(measured(self_timed) <= measured(rounds));
    CHECK(analytic(self_timed) == analytic(rounds));
  }
}

TEST_CASE("a broadcast without waiting is faster self-timed", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Collective{"kind: mesh, sizes: [6, 5]", "dimension_order", "chain_halving",
                                    "broadcast", "one"}
                             .text());
  const Json self_timed =
      result_of(folder.path(), "x.yaml", {"--set", "workload.timing=self_timed"});
  CHECK(measured(self_timed) < analytic(self_timed));
}

TEST_CASE("the number of threads changes no byte of a collective's result", "[program]") {
  const Folder folder;
  for (const std::size_t number : {1, 2, 4}) {
    folder.write("x.yaml", kCollectives[number].collective.text());
    for (const char* timing : {"workload.timing=rounds", "workload.timing=self_timed"}) {
      const std::string one = repeatable(result_of(folder.path(), "x.yaml", {"--set", timing}));
      CHECK(repeatable(result_of(folder.path(), "x.yaml",
                                 {"--set", timing, "--set", "run.threads=3"})) == one);
    }
  }
}

TEST_CASE("links are loaded by the share of the operation's own time", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               Collective{"kind: hypercube, dimension: 1", "e_cube", "binomial_tree"}.text());
  const Json result = result_of(folder.path(), "x.yaml");
  // The parameters are ts 11, td 7 (4 in the router, 3 on the channel) and 9 flits.
  CHECK(measured(result) == 11 + 7 + 9);
  CHECK(result["window_cycles"] == 27);
  CHECK(result["links"][0]["load"].get<double>() == Approx(9 / 27.0));
}

TEST_CASE("the summary of a collective tells rounds, bound and cycles", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kCollectives[1].collective.text());
  const std::string text = summary_of(folder, "x.yaml");
  INFO(text);
  // The double tree on five dimensions has 5, 1 and 1 hops: 3 (11 + 9) + 7 * 7.
  for (const char* line :
       {"x: hypercube 5, e_cube routing, wormhole routers with 4 VCs of 16 flits, broadcast by "
        "ho_kao from node 0, chunks of 9 flits\n",
        "  rounds     3 (lower bound 3: met), 31 transmissions, 0 duplicates\n",
        "  collective 109 cycles measured, 109 analytic\n"}) {
    INFO(line);
    CHECK(text.find(line) != std::string::npos);
  }
  for (const char* label : {"  latency ", "  load ", "  buffers "}) {
    CHECK(text.find(label) == std::string::npos);
  }
}

TEST_CASE("the summary of stored packets tells buffers, of self-timed nodes the difference",
          "[program]") {
  const Folder folder;
  Experiment experiment;
  experiment.topology = "{kind: torus, sizes: [3, 3]}";
  experiment.workload =
      "{kind: collective, operation: gossip, algorithm: disjoint_trees, length: 1, timing: "
      "self_timed}";
  experiment.measure = "{watchdog: 1000}";
  experiment.more = "router: {kind: store_and_forward, buffer_depth: 1}\nnode: {ports: all}";
  folder.write("x.yaml", experiment.text());
  const std::string text = summary_of(folder, "x.yaml");
  INFO(text);
  CHECK(text.find("x: torus 3x3, dimension_order routing, store_and_forward routers with 4 VCs of "
                  "1 packet, gossip by disjoint_trees, chunks of 1 flit\n") == 0);
  CHECK(text.find("  rounds     2 (lower bound 2: met), 72 transmissions") != std::string::npos);
  CHECK(text.find(" cycles measured, self-timed, ") != std::string::npos);
  CHECK(text.find(" analytic in rounds\n") != std::string::npos);
  CHECK(text.find("  buffers    longest queue 1 (Q)") != std::string::npos);
}

TEST_CASE("the summary tells that routers copy the packets", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kCollectives[0].collective.text());
  const Outcome outcome =
      run(folder.path(),
          {"run", "x.yaml", "--set", "workload.forwarding=routers", "--set", "node.ports=all"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.out.find("broadcast by binomial_tree from node 0, copied by routers, chunks of 9 "
                         "flits\n") != std::string::npos);
}

TEST_CASE("warm-up and window of a collective are noted as idle, and change nothing", "[program]") {
  const Folder folder;
  folder.write("x.yaml", kCollectives[0].collective.text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--set", "measure.window=5"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err ==
        "note: measure.window means nothing here: a collective is measured as a whole\n");
  CHECK(outcome.out.find("108 cycles measured, 108 analytic") != std::string::npos);
}

TEST_CASE("routers that copy packets take the time of one message to the farthest node",
          "[program]") {
  const Folder folder;
  const std::string file = FLITCAST_SOURCE "/sim/examples/router_multicast.yaml";
  const std::uint64_t kSwitchings[] = {20 + 8 * 5 + 16, 20 + 8 * (5 + 16)};
  for (int point = 0; point < 2; ++point) {
    const Outcome outcome =
        run(folder.path(),
            {"run", file, "--point", std::to_string(2 * point + 1), "--json", "-", "--quiet"});
    REQUIRE(outcome.exit_code == 0);
    const Json result = Json::parse(outcome.out);
    CHECK(measured(result) == kSwitchings[point]);
    CHECK(analytic(result) == kSwitchings[point]);
    CHECK(result.at("packets").at("created") == 1);
    CHECK(result.at("packets").at("delivered") == 63);
  }
}

TEST_CASE("both ways of stopping in a torus are the same traffic", "[program]") {
  const Folder folder;
  const std::string file = FLITCAST_SOURCE "/sim/examples/router_multicast.yaml";
  std::vector<std::string> checksums;
  for (const std::string stop : {"hop_counter", "source_address"}) {
    const Outcome outcome = run(folder.path(), {"run", file, "--point", "1", "--json", "-",
                                                "--quiet", "--set", "workload.stop=" + stop});
    REQUIRE(outcome.exit_code == 0);
    checksums.push_back(Json::parse(outcome.out).at("checksum"));
  }
  CHECK(checksums.front() == checksums.back());
}
