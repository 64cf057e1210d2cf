// SPDX-License-Identifier: Apache-2.0
// `flitcast schedule --compare`: its ranking, and measured crossovers at the lengths that it
// predicts.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "collective.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

constexpr const char* kAdvice = FLITCAST_SOURCE "/sim/examples/allreduce_hypercube.yaml";
constexpr const char* kTorus = FLITCAST_SOURCE "/sim/examples/allreduce_torus.yaml";

Json compared(const Folder& folder, const std::string& file, Arguments more = {}) {
  Arguments arguments{"schedule", "--compare", file, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(folder.path(), arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

/// Returns the result of the file's experiment, without its sweep, for the algorithm of a row of a
/// ranking, with the value that was chosen for it.
Json run_with(const Folder& folder, const std::string& file, const Json& row,
              std::uint64_t length) {
  std::ifstream example(file);
  std::string text{std::istreambuf_iterator<char>(example), {}};
  folder.write("one.yaml", text.substr(0, text.find("\nsweep:")) + "\n");
  Arguments sets{"--set", "workload.algorithm=" + row.at("algorithm").get<std::string>(), "--set",
                 "workload.length=" + std::to_string(length)};
  const Json with = row.value("with", Json::object());
  for (const auto& [key, value] : with.items()) {
    sets.insert(sets.end(), {"--set", "workload." + key + "=" + value.dump()});
  }
  return result_of(folder.path(), "one.yaml", sets);
}

Json run_with(const Folder& folder, const std::string& file, const std::string& algorithm,
              std::uint64_t length) {
  return run_with(folder, file, Json{{"algorithm", algorithm}}, length);
}

/// Returns an all-reduce on a network whose paths are certain, at these lengths.
std::string all_reduce_on(const std::string& topology, const std::string& lengths) {
  return "name: x\ntopology: " + topology +
         "\nrouter: {buffer_depth: 16}\nrouting: {kind: dimension_order, tie: plus}\n"
         "node: {startup: 50}\nworkload: {kind: collective, operation: all_reduce, algorithm: "
         "ring}\nsweep:\n  workload.length: " +
         lengths + "\n";
}

}  // namespace

TEST_CASE("on a hypercube measured times and crossovers of all-reduces are those of the comparison",
          "[program]") {
  const Folder folder;
  const Json all = compared(folder, kAdvice);
  REQUIRE(all.size() == 1);
  std::size_t crossovers = 0;
  for (const Json& table : all[0].at("lengths")) {
    const auto length = table.at("length").get<std::uint64_t>();
    const Json& ranking = table.at("ranking");
    for (std::size_t i = 0; i < ranking.size(); ++i) {
      const std::string algorithm = ranking[i].at("algorithm");
      INFO(algorithm << " at " << length);
      // The two trees share channels, because no placement of ranks is computed for them.
      const std::uint64_t cycles = measured(run_with(folder, kAdvice, ranking[i], length));
      const auto predicted = ranking[i].at("predicted_cycles").get<std::uint64_t>();
      if (ranking[i].at("link_load") == 1) {
        CHECK(cycles == predicted);
      } else {
        CHECK(100 * cycles <= 106 * predicted);
        CHECK(106 * cycles >= 100 * predicted);
      }
    }
  }
  // At each change of the fastest algorithm, the earlier one is still as fast one flit before.
  const Json& fastest = all[0].at("fastest");
  const auto cycles = [&](const Json& of, std::uint64_t flits) {
    const Json one = compared(folder, kAdvice,
                              {"--point", "0", "--set", "sweep={workload.algorithm: [ring, bruck]}",
                               "--set", "workload.length=" + std::to_string(flits)});
    for (const Json& row : one[0].at("lengths")[0].at("ranking")) {
      if (row.at("algorithm") == of.at("algorithm")) {
        return measured(run_with(folder, kAdvice, row, flits));
      }
    }
    throw std::runtime_error("the algorithm is not ranked");
  };
  for (std::size_t i = 1; i < fastest.size(); ++i) {
    const auto length = fastest[i].at("from_length").get<std::uint64_t>();
    INFO(fastest[i].dump());
    CHECK(cycles(fastest[i - 1], length - 1) <= cycles(fastest[i], length - 1));
    CHECK(cycles(fastest[i], length) <= cycles(fastest[i - 1], length));
    ++crossovers;
  }
  CHECK(crossovers >= 1);
}

TEST_CASE("the fastest algorithm changes at the first length at which another is ranked first",
          "[program]") {
  const Folder folder;
  std::size_t even = 0;
  for (const char* startup : {"20", "77", "100"}) {
    const auto compared_at = [&](const std::string& lengths) {
      folder.write("x.yaml", all_reduce_on("{kind: mesh, sizes: [5, 2]}", lengths));
      return compared(folder, "x.yaml", {"--set", "node.startup=" + std::string(startup)})[0];
    };
    const Json fastest = compared_at("[16]").at("fastest");
    for (std::size_t i = 1; i < fastest.size(); ++i) {
      const auto from = fastest[i].at("from_length").get<std::uint64_t>();
      even += from % 2 == 0;
      const Json tables =
          compared_at("[" + std::to_string(from - 1) + ", " + std::to_string(from) + "]")
              .at("lengths");
      INFO("startup " << startup << ": " << fastest[i].dump());
      CHECK(fastest[i].at("algorithm") != fastest[i - 1].at("algorithm"));
      CHECK(tables[0].at("ranking")[0].at("algorithm") == fastest[i - 1].at("algorithm"));
      CHECK(tables[1].at("ranking")[0].at("algorithm") == fastest[i].at("algorithm"));
    }
  }
  CHECK(even >= 3);  // A search that ends a length early is right at odd ones.
}

TEST_CASE("where messages share channels, the predicted times and winners are the measured ones",
          "[program]") {
  const Folder folder;
  for (const char* topology :
       {"{kind: torus, sizes: [4, 4]}", "{kind: mesh, sizes: [4, 3]}", "{kind: ring, nodes: 8}"}) {
    folder.write("x.yaml", all_reduce_on(topology, "[16, 64, 1024, 4096]"));
    const std::string file = (folder.path() / "x.yaml").string();
    for (const Json& table : compared(folder, file)[0].at("lengths")) {
      const auto length = table.at("length").get<std::uint64_t>();
      std::uint64_t first = 0;
      for (const Json& row : table.at("ranking")) {
        INFO(topology << ", " << length << " flits: " << row.dump());
        const std::uint64_t cycles = measured(run_with(folder, file, row, length));
        const auto predicted = row.at("predicted_cycles").get<std::uint64_t>();
        CHECK(100 * cycles <= 107 * predicted);
        CHECK(107 * cycles >= 100 * predicted);
        if (first == 0) first = cycles;
        CHECK(100 * first <= 102 * cycles);
      }
    }
  }
}

TEST_CASE("between nodes at one router, and in several packets, messages take the predicted time",
          "[program]") {
  const Folder folder;
  for (const char* network :
       {"topology: {kind: crossbar, nodes: 8}\nrouting: {kind: shortest_path}\n",
        "topology: {kind: folded_clos, nodes: 4, leaves: 4, spines: 4}\nrouting: {kind: d_mod_k}\n",
        "topology: {kind: fat_tree, arity: 2, levels: 3}\nrouting: {kind: d_mod_k}\n"}) {
    folder.write("x.yaml", std::string("name: x\n") + network +
                               "router: {buffer_depth: 16}\nnode: {startup: 50}\nworkload: {kind: "
                               "collective, operation: all_reduce, algorithm: ring}\nrun: {level: "
                               "flow}\nsweep:\n  workload.length: [16, 1024, 1048576]\n");
    for (const Json& table : compared(folder, "x.yaml", {"--measure"})[0].at("lengths")) {
      CHECK(table.at("ranking").size() >= 10);
      for (const Json& row : table.at("ranking")) {
        INFO(network << table.at("length") << " flits: " << row.dump());
        const auto cycles = row.at("cycles").get<std::uint64_t>();
        const auto predicted = row.at("predicted_cycles").get<std::uint64_t>();
        CHECK(100 * cycles <= 107 * predicted);
        CHECK(107 * cycles >= 100 * predicted);
      }
    }
  }
}

TEST_CASE("all-reduces in parts that go different ways take the time of the formula on a torus",
          "[program]") {
  const Folder folder;
  std::string text = all_reduce_on("{kind: torus, sizes: [8, 8]}", "[4096]");
  folder.write("x.yaml", text.replace(text.find("startup: 50"), 11, "startup: 50, ports: all"));
  const auto cycles = [&](const std::string& algorithm, std::size_t parts) {
    const Json row{{"algorithm", algorithm}, {"with", {{"parts", parts}}}};
    const Json of_run = run_with(folder, (folder.path() / "x.yaml").string(), row, 4096);
    if (algorithm == "grid_ring") CHECK(of_run.at("collective").at("contention_cycles") == 0);
    return measured(of_run);
  };
  // 28 rounds with a start-up of 50 and a hop of 5; in 14 a message has 1/8 of a part, in 14 1/64.
  for (const std::size_t parts : {1, 2, 4}) {
    CHECK(cycles("grid_ring", parts) == 28 * 55 + 14 * (4096 / 8 + 4096 / 64) / parts);
  }
  CHECK(cycles("swing", 4) == 2958);
}

TEST_CASE("on an 8x8 torus grid_ring wins over rabenseifner for long messages", "[program]") {
  const Folder folder;
  folder.write("x.yaml", all_reduce_on("{kind: torus, sizes: [8, 8]}", "[64, 4096, 65536]"));
  const Json tables = compared(folder, "x.yaml")[0].at("lengths");
  const auto predicted = [](const Json& table, const std::string& algorithm) {
    for (const Json& row : table.at("ranking")) {
      if (row.at("algorithm") == algorithm) return row.at("predicted_cycles").get<double>();
    }
    return 0.0;
  };
  const Json& longest = tables.back();
  CHECK(longest.at("ranking")[0].at("algorithm") == "grid_ring");
  CHECK(longest.at("ranking")[0].at("with") == Json{{"row", 8}});
  // The figures of runs.
  CHECK(predicted(longest, "grid_ring") == Approx(130564).epsilon(0.01));
  CHECK(predicted(longest, "rabenseifner") == Approx(387972).epsilon(0.06));
  CHECK(predicted(tables[0], "rabenseifner") == Approx(1134).epsilon(0.06));
  CHECK(predicted(tables[0], "recursive_doubling") == Approx(1348).epsilon(0.07));
}

TEST_CASE("what no formula covers is not ranked: exit 3, and a command that runs it", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "name: x\ntopology: {kind: fat_tree, arity: 2, levels: 2}\nrouting: {kind: "
               "adaptive_ascent}\nworkload: {kind: collective, operation: all_reduce, algorithm: "
               "ring, length: 16}\n");
  const Outcome outcome =
      run(folder.path(), {"schedule", "--compare", "x.yaml", "--set", "seed=3"});
  INFO(outcome.err << outcome.out);
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.find("fastest") == std::string::npos);
  CHECK(outcome.out.find("  not ranked ring: no formula for its time is known here\n") !=
        std::string::npos);
  CHECK(outcome.err.find("\n  flitcast schedule --compare --measure x.yaml --set seed=3\n") !=
        std::string::npos);
  const Json ranking =
      compared(folder, "x.yaml", {"--measure", "--set", "seed=3"})[0].at("lengths")[0].at(
          "ranking");
  REQUIRE(ranking.size() > 5);
  std::uint64_t before = 0;
  for (const Json& row : ranking) {
    INFO(row.dump());
    Arguments sets{"--set", "seed=3", "--set",
                   "workload.algorithm=" + row.at("algorithm").get<std::string>()};
    const Json with = row.value("with", Json::object());
    for (const auto& [key, value] : with.items()) {
      sets.insert(sets.end(), {"--set", "workload." + key + "=" + value.dump()});
    }
    const std::uint64_t cycles = measured(result_of(folder.path(), "x.yaml", sets));
    CHECK(row.at("cycles") == cycles);
    CHECK(before <= cycles);
    before = cycles;
  }
  CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
}

TEST_CASE("formulas rank nothing where buffers stall packets, which a comparison says",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "name: x\ntopology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: "
               "dimension_order}\nnode: {startup: 20}\nlink: {latency: 20}\nworkload: "
               "{kind: collective, operation: all_reduce, algorithm: rabenseifner, "
               "length: 76}\n");
  const Outcome stalled = run(folder.path(), {"schedule", "--compare", "x.yaml"});
  CHECK(stalled.exit_code == 3);
  CHECK(stalled.out.find("fastest") == std::string::npos);
  CHECK(stalled.out.find("buffers of 8 flits do not cover the credit round trip") !=
        std::string::npos);
  const Outcome covered =
      run(folder.path(), {"schedule", "--compare", "x.yaml", "--set", "router.buffer_depth=32"});
  CHECK(covered.exit_code == 0);
  CHECK(covered.out.find("fastest") != std::string::npos);
  CHECK(covered.out.find("credit round trip") == std::string::npos);
}

TEST_CASE("formulas do not rank messages that share channels of routers which store packets",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "name: x\ntopology: {kind: mesh, sizes: [8, 1]}\nrouting: {kind: dimension_order}\n"
               "router: {kind: store_and_forward}\nworkload: {kind: collective, operation: "
               "reduce_scatter, algorithm: ring, length: 40}\n");
  const Outcome ranked = run(folder.path(), {"schedule", "--compare", "x.yaml"});
  CHECK(ranked.exit_code == 3);
  CHECK(ranked.out.find("  ring ") != std::string::npos);
  for (const char* shared : {"recursive_halving", "grid_ring"}) {
    CHECK(ranked.out.find("  not ranked " + std::string(shared) + ":") != std::string::npos);
  }
  const Json measured = compared(folder, "x.yaml", {"--measure"})[0].at("lengths")[0].at("ranking");
  CHECK(measured[0].at("algorithm") == "recursive_halving");
  CHECK(measured[0].at("cycles") == 161);
  // On a hypercube no two of these messages meet, so all have a formula.
  CHECK(run(folder.path(),
            {"schedule", "--compare", "x.yaml", "--set", "topology={kind: hypercube, dimension: 3}",
             "--set", "routing={kind: e_cube}"})
            .exit_code == 0);
}

TEST_CASE("a comparison replaces the values that the file gives to its own algorithm",
          "[program]") {
  const Folder folder;
  std::string text = all_reduce_on("{kind: torus, sizes: [4, 4]}", "[4096]");
  text.replace(text.find("algorithm: ring"), 15, "algorithm: grid_ring, row: 2");
  folder.write("x.yaml", text);
  const Json ranking = compared(folder, "x.yaml")[0].at("lengths")[0].at("ranking");
  CHECK(ranking.size() > 5);
  for (const Json& row : ranking) {
    if (row.at("algorithm") == "grid_ring") CHECK(row.at("with") == Json{{"row", 4}});
  }
}

TEST_CASE("on a torus the loads of the channels explain the contention to 3 percent", "[program]") {
  const Folder folder;
  for (const char* algorithm : {"ring", "recursive_doubling", "rabenseifner"}) {
    const std::string name = algorithm;
    const Json result = run_with(folder, kTorus, name, 1024);
    const Json& collective = result.at("collective");
    INFO(name << "\n" << collective.dump());
    // Messages that share a channel are serialised.
    const Json& loads = collective.at("link_load_per_round");
    const Json& paths = collective.at("longest_path_per_round");
    std::uint64_t loaded = 0;
    std::uint64_t alone = 0;
    // The flits per round are a 64th for the ring, the whole vector for recursive doubling, and
    // halves, quarters and so on and back for rabenseifner.
    const auto flits_in = [&name](std::size_t r) -> std::uint64_t {
      if (name == "ring") return 16;
      if (name == "recursive_doubling") return 1024;
      return r < 6 ? 1024U >> (r + 1) : 1024U >> (12 - r);
    };
    for (std::size_t r = 0; r < loads.size(); ++r) {
      const std::uint64_t flits = flits_in(r);
      const std::uint64_t start = 50 + 5 * paths[r].get<std::uint64_t>();
      alone += start + flits;
      loaded += start + loads[r].get<std::uint64_t>() * flits;
    }
    CHECK(analytic(result) == alone);
    CHECK(measured(result) >= loaded);
    CHECK(100 * measured(result) <= 103 * loaded);
    CHECK((name == "ring" ? loaded == alone : loaded > 2 * alone));
  }
}

/// Returns the rows of the manual's table: network, length, then analytic / measured by algorithm.
std::vector<std::vector<std::string>> all_reduces_of_manual() {
  std::ifstream page(FLITCAST_SOURCE "/scripts/site/text/guide/collectives.md");
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| hypercube |", 0) != 0 && line.rfind("| 8x8 torus |", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    rows.emplace_back(cells.begin() + 1, cells.end());
  }
  return rows;
}

TEST_CASE("the manual's table of all-reduces is what runs say", "[program]") {
  const Folder folder;
  const auto rows = all_reduces_of_manual();
  CHECK(rows.size() == 8);
  const std::vector<std::string> algorithms{"ring", "recursive_doubling", "rabenseifner"};
  for (const auto& row : rows) {
    REQUIRE(row.size() == 2 + algorithms.size());
    const char* const file = row[0] == "hypercube" ? kAdvice : kTorus;
    for (std::size_t a = 0; a < algorithms.size(); ++a) {
      INFO(row[0] << ", " << row[1] << " flits, " << algorithms[a]);
      const Json result = run_with(folder, file, algorithms[a], std::stoull(row[1]));
      CHECK(std::to_string(analytic(result)) + " / " + std::to_string(measured(result)) ==
            row[2 + a]);
    }
  }
}

TEST_CASE("a comparison says which algorithms it leaves out, and why", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Collective{"kind: mesh, sizes: [3, 3]", "dimension_order", "ring",
                                    "all_reduce", "one"}
                             .text());
  const Json all = compared(folder, "x.yaml");
  REQUIRE(all.size() == 1);
  const auto reason = [&](const std::string& algorithm) -> std::string {
    for (const Json& left : all[0].at("left_out")) {
      if (left.at("algorithm") == algorithm) return left.at("reason");
    }
    return "";
  };
  CHECK(reason("multicast_rounds").find("does not carry the multicasts") != std::string::npos);
  CHECK(reason("ring").empty());
  const Outcome text = run(folder.path(), {"schedule", "--compare", "x.yaml"});
  CHECK(text.out.find("x: all_reduce on mesh 3x3, dimension_order routing, wormhole routers\n") ==
        0);
  CHECK(text.out.find("\n  left out multicast_rounds: routing.kind: dimension_order does not") !=
        std::string::npos);
}

TEST_CASE("packets of more than 1,024 flits that buffers cannot hold are left out", "[program]") {
  const Folder folder;
  std::string text = all_reduce_on("{kind: ring, nodes: 4}", "[64, 2049]");
  text.replace(text.find("buffer_depth: 16"), 16, "kind: virtual_cut_through, buffer_depth: 2048");
  folder.write("x.yaml", text);
  const Json ring = compared(folder, "x.yaml")[0];
  const Json unfit{{"algorithm", "recursive_doubling"},
                   {"reason",
                    "router.buffer_depth: 2048 flits cannot hold the longest packet, of 2049 "
                    "flits, as virtual_cut_through requires"}};
  const auto has = [](const Json& list, const Json& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  CHECK(has(ring.at("left_out"), unfit));
  CHECK(ring.at("lengths")[1].at("ranking")[0].at("algorithm") == "swing");
  const Json fits = compared(folder, "x.yaml", {"--set", "router.buffer_depth=2049"})[0];
  CHECK_FALSE(has(fits.at("left_out"), unfit));
  folder.write("y.yaml",
               "topology: {kind: torus, sizes: [3, 3]}\nnode: {ports: 4}\nrouter: {buffer_depth: "
               "4000}\nrouting: "
               "{kind: dimension_order}\nworkload: {kind: collective, operation: gossip, "
               "algorithm: hamiltonian_cycles, length: 2001, "
               "forwarding: routers}\n");
  const Outcome gossip = run(folder.path(), {"schedule", "--compare", "y.yaml"});
  CHECK(says(gossip.out,
             "router.buffer_depth: 4000 flits are too few for packets of 2001 flits that routers "
             "pass round a cycle"));
}

TEST_CASE("a measured run that fails has a row with the reason, and its exit code", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "topology: {kind: ring, nodes: 4}\nrouting: {kind: dimension_order, vc_classes: "
               "none, tie: plus}\nworkload: {kind: collective, operation: all_reduce, algorithm: "
               "ring, length: 4}\n");
  const Outcome text = run(folder.path(), {"schedule", "--compare", "--measure", "x.yaml"});
  INFO(text.out << text.err);
  CHECK(text.exit_code == 2);
  CHECK(says(text.out,
             "\n  ring                         the run failed: exit code 2: x.yaml:2:17: "
             "routing.kind: cyclic channel dependency (possible deadlock): router 0"));
  CHECK_FALSE(says(text.out, "left out ring"));
  const Outcome json =
      run(folder.path(), {"schedule", "--compare", "--measure", "x.yaml", "--json"});
  CHECK(json.exit_code == 2);
  const Json rows = Json::parse(json.out).at(0).at("lengths").at(0).at("ranking");
  CHECK(rows.size() > 3);
  for (const Json& row : rows) {
    CHECK(says(row.at("failed"), "exit code 2: x.yaml:2:17: routing.kind: cyclic"));
  }
}

TEST_CASE("a comparison explains messages that share channels, where some do", "[program]") {
  const Folder folder;
  const std::string words =
      "  shared: most messages of a round on a channel; above 1 an estimate, see --measure\n";
  const auto explained = [&](const std::string& topology, const std::string& operation) {
    folder.write("x.yaml",
                 Collective{topology, "dimension_order", "binomial", operation, "one"}.text());
    const Outcome text = run(folder.path(), {"schedule", "--compare", "x.yaml"});
    return text.out.find(words) != std::string::npos;
  };
  CHECK(explained("kind: mesh, sizes: [4, 4]", "all_reduce"));
  CHECK_FALSE(explained("kind: mesh, sizes: [2]", "all_reduce"));
}

// A run that waits for the lock of a folder waits for five seconds.
TEST_CASE("the runs of a comparison and of a search wait for no lock of a folder", "[program]") {
  const Folder folder;
  folder.write("x.yaml", all_reduce_on("{kind: ring, nodes: 4}", "[16, 17, 18, 19]"));
  folder.write("y.yaml",
               Experiment{}.text() +
                   "\nsearch: {find: saturation, rule: accepted, precision: 1e-5, confirm: 0}\n");
  const auto start = std::chrono::steady_clock::now();
  // The comparison has more than twenty runs, the search more than fifteen.
  CHECK(compared(folder, "x.yaml", {"--measure"})[0].at("lengths")[3].at("ranking").size() > 5);
  const Outcome search = run(folder.path(), {"run", "y.yaml"});
  INFO(search.out << search.err);
  CHECK(search.exit_code != 2);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
}

TEST_CASE("what is no collective operation is not compared", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(refusal(folder, {"schedule", "--compare", "x.yaml"})
            .find("workload.kind: there are no algorithms to compare but those of collective") !=
        std::string::npos);
}
