// SPDX-License-Identifier: Apache-2.0
// Several collective operations on one network.
#include "collective.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

const std::vector<std::string> kOperations{
    "operation: reduce_scatter, algorithm: ring, length: 48",
    "operation: all_gather, algorithm: bruck, length: 3",
    "operation: barrier, algorithm: dissemination",
    "operation: all_reduce, algorithm: rabenseifner, length: 40, data: {operator: add, type: "
    "float32, combine_cycles: 2}",
    "operation: broadcast, algorithm: binomial_tree, source: 5, length: 9"};

std::string experiment(const std::string& workload) {
  Experiment experiment{"{kind: hypercube, dimension: 4}", "{kind: e_cube}", workload,
                        "{watchdog: 1000}", "node: {startup: 20}"};
  return experiment.text();
}

std::string all_of_them(const std::string& order) {
  std::string list;
  for (const std::string& one : kOperations) list += (list.empty() ? "{" : ", {") + one + "}";
  return experiment("{kind: several_collectives, order: " + order + ", operations: [" + list +
                    "]}");
}

Json result_of_text(const std::string& text, const Arguments& more = {}) {
  const Folder folder;
  folder.write("x.yaml", text);
  return result_of(folder.path(), "x.yaml", more);
}

std::uint64_t cycles(const Json& operation) { return operation.at("cycles").get<std::uint64_t>(); }

}  // namespace

TEST_CASE("operations in turn take what each takes alone, one after the other", "[program]") {
  const Json result = result_of_text(all_of_them("in_turn"));
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    INFO(kOperations[i]);
    const Json alone = result_of_text(experiment("{kind: collective, " + kOperations[i] + "}"));
    const Json& operation = result.at("operations")[i];
    CHECK(operation.at("begin") == now);
    CHECK(cycles(operation) == measured(alone));
    now += cycles(operation);
  }
  CHECK(result.at("completion_cycle") == now);
}

TEST_CASE("operations at once combine side by side, in the time of one", "[program]") {
  const auto cycles_of_two = [](const std::string& order) {
    const std::string one =
        "{operation: reduce, algorithm: binomial, length: 4, data: {operator: add, combine_cycles: "
        "1000}}";
    const Json result = result_of_text(experiment("{kind: several_collectives, order: " + order +
                                                  ", operations: [" + one + ", " + one + "]}"));
    return result.at("completion_cycle").get<double>();
  };
  const double in_turn = cycles_of_two("in_turn");
  CHECK(in_turn > 2 * 4 * 4000);  // 4 rounds, in each of which a node combines 4 elements.
  CHECK(cycles_of_two("at_once") == Approx(in_turn / 2).epsilon(0.02));
}

TEST_CASE("each of several operations has the bandwidths that it has alone", "[program]") {
  const Arguments units{"--set", "clock=2 GHz", "--set", "flit_width=8 B"};
  const Json result = result_of_text(all_of_them("in_turn"), units);
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    INFO(kOperations[i]);
    const Json alone =
        result_of_text(experiment("{kind: collective, " + kOperations[i] + "}"), units);
    const Json& operation = result.at("operations")[i];
    CHECK(operation.contains("physical") == alone.at("physical").contains("bytes"));
    if (!operation.contains("physical")) continue;
    for (const char* figure : {"bytes", "algorithm_gb_per_s", "bus_gb_per_s"}) {
      CHECK(operation.at("physical").at(figure) == alone.at("physical").at(figure));
    }
  }
}

TEST_CASE("operations at once get into each other's way, and all come right whatever the threads",
          "[program]") {
  const Json turns = result_of_text(all_of_them("in_turn"));
  const Json once = result_of_text(all_of_them("at_once"));
  bool delayed = false;
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    INFO(kOperations[i]);
    CHECK(once.at("operations")[i].at("begin") == 0);
    CHECK(cycles(once.at("operations")[i]) >= cycles(turns.at("operations")[i]));
    delayed |= cycles(once.at("operations")[i]) > cycles(turns.at("operations")[i]);
  }
  CHECK(delayed);
  CHECK(once.at("completion_cycle") < turns.at("completion_cycle"));
  const Json threads = result_of_text(all_of_them("at_once"), {"--set", "run.threads=3"});
  CHECK(threads.at("checksum") == once.at("checksum"));
}

TEST_CASE("several operations are refused with the place of each fault", "[program]") {
  const Folder folder;
  const auto said = [&](const std::string& operations) {
    folder.write("x.yaml",
                 experiment("{kind: several_collectives, operations: " + operations + "}"));
    return refusal(folder, {"run", "x.yaml"});
  };
  CHECK(said("[]").find("x.yaml:3:51: workload.operations: there is none; write [{operation: ...}, "
                        "...]\n") == 0);
  const std::string two = said(
      "[{operation: gossip, algorithm: bruck}, {operation: broadcast, algorithm: binomial, source: "
      "16}, {operation: all_reduce, algorithm: reduction_tree, forwarding: routers}]");
  INFO(two);
  CHECK(two.find("workload.operations[1].source: there is no node 16") != std::string::npos);
  CHECK(two.find("workload.operations[2].algorithm: routers carry out one collective operation at "
                 "a time") != std::string::npos);
  CHECK(said("[{operation: scan, algorithm: ring}]").find("workload.operations[0].algorithm: ") !=
        std::string::npos);
}
