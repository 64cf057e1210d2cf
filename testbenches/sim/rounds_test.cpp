// SPDX-License-Identifier: Apache-2.0
// Collectives in rounds, on Clos networks and on direct networks.
#include <algorithm>
#include <map>

#include "collective.h"

using namespace flitcast::program;

namespace {

const std::string kExample = FLITCAST_SOURCE "/sim/examples/clos_collectives.yaml";
constexpr int kPoints = 20;

const Arguments kMesh{"--set", "topology={kind: mesh, sizes: [4, 4]}", "--set",
                      "routing={kind: dimension_order}"};
const Arguments kCircuits{"--set", "router={kind: circuit, controller: seq_adder}"};

Arguments point(int number, const Arguments& more = {}) {
  Arguments arguments{"--point", std::to_string(number)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string output(const Folder& folder, const Arguments& arguments) {
  const Outcome outcome = run(folder.path(), arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

/// Returns a name such as "scan by unicast_rounds".
std::string name_of(const Json& result) {
  const Json& workload = result.at("config").at("workload");
  return workload.at("operation").get<std::string>() + " by " +
         workload.at("algorithm").get<std::string>();
}

}  // namespace

TEST_CASE("every operation of the example takes its analytic time, by packets and by circuits",
          "[program]") {
  const Folder folder;
  for (const Arguments& more : {Arguments{}, kCircuits}) {
    for (int number = 0; number < kPoints; ++number) {
      const Json result = result_of(folder.path(), kExample, point(number, more));
      INFO(name_of(result));
      CHECK(measured(result) == analytic(result));
      CHECK(result["packets"]["created"] == result["collective"]["transmissions"]);
      CHECK(result["packets"]["delivered"] == result["collective"]["receipts"]);
      CHECK(result["collective"]["duplicates"] == 0);
      CHECK(result["completion_cycle"] == measured(result));
    }
  }
}

TEST_CASE("messages to one node each run on direct networks, where they may share channels",
          "[program]") {
  const Folder folder;
  for (int number = 1; number < kPoints; number += 2) {
    const Json clos = result_of(folder.path(), kExample, point(number));
    const Json mesh = result_of(folder.path(), kExample, point(number, kMesh));
    INFO(name_of(mesh));
    const Json& loads = mesh["collective"]["link_load_per_round"];
    const bool shared = std::any_of(loads.begin(), loads.end(),
                                    [](const Json& load) { return load.get<int>() > 1; });
    CHECK((shared ? measured(mesh) >= analytic(mesh) : measured(mesh) == analytic(mesh)));
    CHECK(mesh["collective"]["contention_cycles"] == measured(mesh) - analytic(mesh));
    for (const char* key : {"rounds", "transmissions", "receipts", "duplicates", "new_per_round"}) {
      CHECK(mesh["collective"][key] == clos["collective"][key]);
    }
  }
}

TEST_CASE("on a Clos network without a control messages can meet: the analytic time is the least",
          "[program]") {
  const Folder folder;
  const Json result =
      result_of(folder.path(), kExample, point(11, {"--set", "routing={kind: middle_spread}"}));
  CHECK(measured(result) >= analytic(result));
  CHECK(result["collective"].contains("link_load_per_round"));
}

TEST_CASE("hardware multicast makes a broadcast as fast as one message", "[program]") {
  const Folder folder;
  // The time is three hops of 5 cycles, 16 flits and 2 cycles.
  CHECK(measured(result_of(folder.path(), kExample, point(0))) == 3 * 5 + 16 + 2);
  CHECK(measured(result_of(folder.path(), kExample, point(1))) == 4 * (3 * 5 + 16 + 2));
}

TEST_CASE("schedule prints the rounds, their bound and their time", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "name: x\ntopology: {kind: clos, ports: 2, middle_switches: 4, switches: 2}\n"
               "routing: {kind: central_control}\nrouter: {kind: circuit}\n"
               "workload: {kind: collective, operation: gossip, algorithm: multicast_rounds, "
               "length: 5}\n");
  // A round takes 1 cycle to the controller, 3 there, 1 to configure, 3 stages and 5 flits.
  CHECK(output(folder, {"schedule", "x.yaml"}) ==
        "x: gossip by multicast_rounds on clos v(4,2,2), one message at a time\n"
        "  rounds        4\n"
        "  lower bound   2 rounds: missed by 2 (what a node knows at most doubles)\n"
        "  transmissions 4, 12 receipts, 0 duplicates\n"
        "  analytic      52 cycles (m 5; circuit)\n"
        "  round 1    1 message, 3 new: 0->{1 2 3}:0\n"
        "  round 2    1 message, 3 new: 1->{0 2 3}:1\n"
        "  round 3    1 message, 3 new: 2->{0 1 3}:2\n"
        "  round 4    1 message, 3 new: 3->{0 1 2}:3\n");
  CHECK(
      output(folder, {"schedule", "x.yaml", "--dump", "-", "--set", "workload.operation=reduce"}) ==
      "1 1 partial 0\n1 3 partial 2\n2 2 partial 0\n");
}

TEST_CASE("the verification of rounds as JSON is that of the result", "[program]") {
  const Folder folder;
  for (const Arguments& more : {Arguments{}, kCircuits}) {
    Arguments arguments{"schedule", kExample, "--json"};
    for (const std::string& argument : point(9, more)) arguments.push_back(argument);
    Json result = result_of(folder.path(), kExample, point(9, more))["collective"];
    result.erase("cycles");
    CHECK(Json::parse(output(folder, arguments)) == result);
  }
}

TEST_CASE("the summary of a barrier tells that its messages have one flit", "[program]") {
  const Folder folder;
  const std::string text = output(folder, {"run", kExample, "--point", "18"});
  INFO(text);
  CHECK(text.find("barrier by multicast_rounds, messages of 1 flit\n") != std::string::npos);
  CHECK(
      text.find("  rounds     5 (lower bound 4: missed by 1), 16 transmissions, 0 duplicates\n") !=
      std::string::npos);
  CHECK(text.find("  collective 90 cycles measured, 90 analytic\n") != std::string::npos);
}

TEST_CASE("the number of threads changes no byte of rounds on a mesh", "[program]") {
  const Folder folder;
  Arguments threads = point(11, kMesh);
  threads.insert(threads.end(), {"--set", "run.threads=3"});
  CHECK(repeatable(result_of(folder.path(), kExample, threads)) ==
        repeatable(result_of(folder.path(), kExample, point(11, kMesh))));
}

TEST_CASE("the listing has every operation with both kinds of rounds", "[program]") {
  const Folder folder;
  const Json listing = Json::parse(output(folder, {"list", "collectives", "--json"}));
  std::map<std::string, int> rounds;
  for (const Json& entry : listing.at("collectives")) {
    const auto name = entry.at("name").get<std::string>();
    if (name == "multicast_rounds" || name == "unicast_rounds") {
      ++rounds[entry.at("operation").get<std::string>()];
    }
  }
  CHECK(rounds.size() == 10);
  for (const auto& [operation, methods] : rounds) {
    INFO(operation);
    CHECK(methods == 2);
  }
}
