// SPDX-License-Identifier: Apache-2.0
// Messages for impossible permutations.
#include <algorithm>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

struct Refused {
  std::string claim;
  std::string topology;
  std::string routing;
  std::string workload;
  std::vector<std::string> says;  ///< Beginnings of lines of standard error.
};

const std::vector<Refused> kRefused{
    {"a list that is no permutation",
     "{kind: mesh, sizes: [2, 2]}",
     "{kind: dimension_order}",
     "[0, 1, 1, 3], algorithm: greedy",
     {"x.yaml:3:44: workload.permutation: no permutation: 1 comes more than once, 2 not at all; "
      "name every place once"}},
    {"a misspelt instance",
     "{kind: mesh, sizes: [2, 2]}",
     "{kind: dimension_order}",
     "transpos",
     {"x.yaml:3:44: workload.permutation: \"transpos\" is not a choice; did you mean transpose?"}},
    {"a random permutation without a seed",
     "{kind: mesh, sizes: [2, 2]}",
     "{kind: dimension_order}",
     "random",
     {"x.yaml:3:44: workload.permutation: random needs a number; write {random: 1}"}},
    {"the worst buffer of a rectangle, and an algorithm for another family, at once",
     "{kind: mesh, sizes: [4, 6]}",
     "{kind: dimension_order}",
     "worst_buffer, algorithm: bit_fixing",
     {"x.yaml:3:44: workload.permutation: worst_buffer is defined on square meshes, not on mesh "
      "4x6; use mesh 6x6",
      "x.yaml:3:69: workload.algorithm: bit_fixing does not work on mesh 4x6; it works on "
      "hypercubes; for mesh 4x6 choose one of greedy, dimension_order, two_phase"}},
    {"bits of a number of nodes that has none",
     "{kind: mesh, sizes: [3, 4]}",
     "{kind: dimension_order}",
     "bit_reverse",
     {"x.yaml:3:44: workload.permutation: bit_reverse permutes the bits of a number, but mesh 3x4 "
      "has 12 places; use 8 or 16 places"}},
    {"a routing that the theorems on the algorithm are not about",
     "{kind: hypercube, dimension: 3}",
     "{kind: shortest_path}",
     "transpose, algorithm: bit_fixing",
     {"x.yaml:2:17: routing.kind: bit_fixing goes by e_cube, not by shortest_path;"}},
    {"an order of queues that the topology does not know",
     "{kind: butterfly, arity: 2, stages: 3}",
     "{kind: destination_tag}",
     "transpose_midflip, discipline: farthest_first",
     {"x.yaml:3:75: workload.discipline: farthest_first does not work on butterfly"}},
    {"a central control",
     "{kind: clos, ports: 2, middle_switches: 2, switches: 2}",
     "{kind: central_control}",
     "identity",
     {"x.yaml:2:17: routing.kind: packets of a permutation find their way themselves;"}},
    {"a routing whose packets choose their way",
     "{kind: mesh, sizes: [4, 4]}",
     "{kind: odd_even}",
     "transpose",
     {"x.yaml:2:17: routing.kind: odd_even does not fix the path of a packet beforehand; choose a "
      "routing that does not adapt it"}},
};

/// Returns the output of a command that must succeed.
std::string printed_by(const Folder& folder, const Arguments& arguments) {
  const Outcome outcome = run(folder.path(), arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  return outcome.out;
}

}  // namespace

TEST_CASE("a permutation that cannot be is refused where it is written, by all commands",
          "[program]") {
  for (const Refused& refused : kRefused) {
    INFO(refused.claim);
    const Folder folder;
    folder.write("x.yaml", Experiment{refused.topology, refused.routing,
                                      "{kind: permutation, permutation: " + refused.workload + "}"}
                               .text());
    for (const char* command : {"run", "schedule", "check"}) {
      const Outcome outcome = run(folder.path(), {command, "x.yaml"});
      INFO(command << ": " << outcome.err);
      CHECK(outcome.exit_code == 2);
      for (const std::string& line : refused.says) {
        CHECK(("\n" + outcome.err).find("\n" + line) != std::string::npos);
      }
    }
  }
}

TEST_CASE("two orders of queues that differ are refused, and routers without queues", "[program]") {
  const Folder folder;
  const std::string workload = "{kind: permutation, permutation: transpose, discipline: lifo}";
  const auto said = [&](const std::string& router) {
    Experiment experiment = with_workload(workload);
    experiment.more = "router: " + router;
    folder.write("x.yaml", experiment.text());
    const Outcome outcome = run(folder.path(), {"run", "x.yaml"});
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(said("{kind: store_and_forward, priority: fifo}")
            .find("workload.discipline: lifo is not what router.priority says, fifo") !=
        std::string::npos);
}

TEST_CASE("schedule tells T, Q, H, C and the bound, and dumps every move", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: hypercube, dimension: 6}", "{kind: e_cube}",
                                    "{kind: permutation, permutation: transpose, algorithm: "
                                    "bit_fixing}"}
                             .text());
  const std::string text = printed_by(folder, {"schedule", "x.yaml"});
  INFO(text);
  CHECK(text.find("steps         7 steps (lower bound 6: missed by 1)\n") != std::string::npos);
  CHECK(text.find("queues        up to 2 packets, 1 held; congestion 4, longest path 6\n") !=
        std::string::npos);
  const auto figures = Json::parse(printed_by(folder, {"schedule", "x.yaml", "--json"}));
  CHECK(figures["steps"] == 7);
  CHECK_FALSE(figures.contains("cycles"));
  const std::string dump = printed_by(folder, {"schedule", "x.yaml", "--dump", "-"});
  CHECK(dump.rfind("1 1 8 1\n1 2 16 2\n", 0) == 0);
  CHECK(std::count(dump.begin(), dump.end(), '\n') == 64 - 8);  // 8 stay in place.
}

TEST_CASE("of up to eight phases schedule tells the steps of each, and of more their number",
          "[program]") {
  const auto steps = [](const std::string& sizes) {
    const Folder folder;
    folder.write("x.yaml",
                 Experiment{"{kind: mesh, sizes: [" + sizes + "]}", "{kind: dimension_order}",
                            "{kind: permutation, permutation: {random: 1}, algorithm: "
                            "shearsort}"}
                     .text());
    const std::string text = printed_by(folder, {"schedule", "x.yaml"});
    const std::size_t begin = text.find("  steps ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  // Five rounds of exchanges sort a row of five, which then moves by 4 steps, not at all, and by 4.
  CHECK(says(steps("1, 5"), ", phases 1 + 1 + 1 + 1 + 1 + 4 + 0 + 4"));
  CHECK(says(steps("2, 2"), ", 9 phases"));
}

TEST_CASE("of eight packets that take turns on a channel none waits eight steps", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               Experiment{"{kind: cmesh, sizes: [2], tile: [8]}", "{kind: dimension_order}",
                          "{kind: permutation, permutation: [8, 9, 10, 11, 12, 13, 14, "
                          "15, 0, 1, 2, 3, 4, 5, 6, 7], algorithm: greedy}"}
                   .text());
  // They wait 0, 1, ..., 7 steps, which is 3.5 on average.
  CHECK(says(printed_by(folder, {"schedule", "x.yaml"}),
             "at most 7, 3.500 on average; of 87.5 % at least 1, 50 % 4, 0 % 8\n"));
}

TEST_CASE("packets between nodes of one router take no step, on paper or on the network",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               Experiment{"{kind: cmesh, sizes: [2], tile: [2]}", "{kind: dimension_order}",
                          "{kind: permutation, permutation: [1, 0, 3, 2], algorithm: "
                          "greedy, length: 4}",
                          "{watchdog: 2000}", "router: {kind: store_and_forward}"}
                   .text());
  const Json told = result_of(folder.path(), "x.yaml").at("permutation");
  CHECK(told.at("steps") == 0);
  CHECK(told.at("network_steps") == 0);
  CHECK(told.at("cycles") == told.at("startup_cycles").get<int>() + 4);  // The flits follow.
}

TEST_CASE("where channels differ, a permutation has no cycles by the paper, and that is said",
          "[program]") {
  const Folder folder;
  const auto played_on = [&](const std::string& line) {
    folder.write("x.graph", "router a\nrouter b\nterminal 0 a\nterminal 1 b\n" + line + "\n");
    folder.write("x.yaml", Experiment{"{kind: custom, file: x.graph}", "{kind: shortest_path}",
                                      "{kind: permutation, permutation: [1, 0], algorithm: greedy}"}
                               .text());
    return run(folder.path(), {"run", "x.yaml", "--json", "-"});
  };
  const std::string note = "note: channels have latencies, widths or buffers of their own";
  const Outcome alike = played_on("link a b");
  CHECK(alike.err.find(note) == std::string::npos);
  CHECK(alike.out.find("\"analytic_cycles\"") != std::string::npos);
  for (const char* line : {"link a b cycles_per_flit 2", "link a b latency 3"}) {
    INFO(line);
    const Outcome own = played_on(line);
    CHECK(own.exit_code == 0);
    CHECK(own.err.find(note) != std::string::npos);
    CHECK(own.out.find("\"analytic_cycles\"") == std::string::npos);
  }
}

TEST_CASE("schedule repeats a statistical experiment at any size with one command", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: hypercube, dimension: 5}", "{kind: e_cube}",
                                    "{kind: permutation, permutation: transpose, algorithm: "
                                    "two_phase, runs: 50}"}
                             .text());
  const std::string text = printed_by(folder, {"schedule", "x.yaml"});
  INFO(text);
  CHECK(text.find("exceeded in 0 of 50 runs, so with 95 % confidence at most 0.05816 of all") !=
        std::string::npos);
  const auto again = Json::parse(printed_by(folder, {"schedule", "x.yaml", "--json"}))["repeated"];
  CHECK(again["runs"] == 50);
  CHECK(again["steps"]["mean"] > 8);
}

TEST_CASE("buffers that are too small for the queues of the paper are a note", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: mesh, sizes: [12, 12]}", "{kind: dimension_order}",
                                    "{kind: permutation, permutation: worst_buffer, algorithm: "
                                    "dimension_order}",
                                    "{watchdog: 2000}",
                                    "router: {kind: store_and_forward, virtual_channels: 1, "
                                    "buffer_depth: 1}"}
                             .text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--json", "-"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const auto result = Json::parse(outcome.out);
  CHECK(outcome.err.find("make router.buffer_depth at least") != std::string::npos);
  CHECK(result["permutation"]["network_steps"] >= result["permutation"]["steps"]);
}

TEST_CASE("the depth of buffers that a note asks for is the least that needs no note",
          "[program]") {
  const auto note_at = [](int channels, int depth, int credits) {
    const Folder folder;
    folder.write(
        "x.yaml",
        Experiment{"{kind: mesh, sizes: [12, 12]}", "{kind: dimension_order}",
                   "{kind: permutation, permutation: worst_buffer, algorithm: "
                   "dimension_order}",
                   "{watchdog: 2000}",
                   "router: {kind: store_and_forward, virtual_channels: " +
                       std::to_string(channels) + ", buffer_depth: " + std::to_string(depth) +
                       "}\nlink: {credit_latency: " + std::to_string(credits) + "}"}
            .text());
    return run(folder.path(), {"run", "x.yaml", "--json", "-"}).err;
  };
  const auto number_after = [](const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    REQUIRE(at != std::string::npos);
    return std::stoi(text.substr(at + words.size()));
  };
  const std::string note = "make router.buffer_depth at least ";
  for (const int channels : {1, 2, 3}) {
    const int least = number_after(note_at(channels, 1, 1), note);
    INFO(channels << " virtual channels need " << least << " slots each");
    CHECK(says(note_at(channels, least - 1, 1), note));
    CHECK_FALSE(says(note_at(channels, least, 1), note));
  }
  // Credits of two cycles and the turns of four ports fit into a step of 6 cycles: those who wait
  // need a slot each, and the next to come one more. With credits of three cycles a step is too
  // short, and slots come back after seven.
  const std::string in_time = note_at(1, 1, 2);
  CHECK(number_after(in_time, note) == number_after(in_time, "on paper up to ") + 1);
  const std::string late = note_at(1, 1, 3);
  CHECK(number_after(late, note) == number_after(late, "on paper up to ") + 1 + 7);
}

TEST_CASE("routers that do not keep packets tell their time beside that of the paper",
          "[program]") {
  const char* const kind = GENERATE("wormhole", "virtual_cut_through");
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: mesh, sizes: [8, 8]}", "{kind: dimension_order}",
                                    "{kind: permutation, permutation: transpose, algorithm: "
                                    "dimension_order, length: 8}",
                                    "{watchdog: 2000}", std::string("router: {kind: ") + kind + "}"}
                             .text());
  const auto result = Json::parse(printed_by(folder, {"run", "x.yaml", "--json", "-", "--quiet"}));
  const auto& told = result["permutation"];
  CHECK(told["steps"] == 14);
  CHECK_FALSE(told.contains("network_steps"));
  CHECK(told["cycles"] < told["analytic_cycles"]);  // No router waits for whole packets.
  CHECK(told["cycles"] > 14 * 5);
}
