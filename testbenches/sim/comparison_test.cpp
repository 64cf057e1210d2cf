// SPDX-License-Identifier: Apache-2.0
// `flitcast schedule --compare`: its ranking, and measured crossovers at the lengths that it
// predicts.
#include <fstream>
#include <iterator>
#include <sstream>

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

/// Returns the result of the file's experiment, without its sweep, for this algorithm and length.
Json run_with(const Folder& folder, const std::string& file, const std::string& algorithm,
              std::uint64_t length) {
  std::ifstream example(file);
  std::string text{std::istreambuf_iterator<char>(example), {}};
  folder.write("one.yaml", text.substr(0, text.find("\nsweep:")) + "\n");
  return result_of(folder.path(), "one.yaml",
                   {"--set", "workload.algorithm=" + algorithm, "--set",
                    "workload.length=" + std::to_string(length)});
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
      const std::uint64_t cycles = measured(run_with(folder, kAdvice, algorithm, length));
      CHECK((ranking[i].at("link_load") == 1) == (algorithm != "two_trees"));
      CHECK(cycles >= ranking[i].at("analytic_cycles"));
      if (algorithm != "two_trees") CHECK(cycles == ranking[i].at("analytic_cycles"));
    }
  }
  // At each change of the fastest algorithm, the earlier one is still as fast one flit before.
  const Json& fastest = all[0].at("fastest");
  for (std::size_t i = 1; i < fastest.size(); ++i) {
    const std::string before = fastest[i - 1].at("algorithm");
    const std::string after = fastest[i].at("algorithm");
    const auto length = fastest[i].at("from_length").get<std::uint64_t>();
    INFO(after << " from " << length);
    const auto cycles = [&](const std::string& algorithm, std::uint64_t flits) {
      return measured(run_with(folder, kAdvice, algorithm, flits));
    };
    CHECK(cycles(before, length - 1) <= cycles(after, length - 1));
    CHECK(cycles(after, length) <= cycles(before, length));
    ++crossovers;
  }
  CHECK(crossovers >= 1);
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

/// Returns the rows of the README's table: network, length, then analytic / measured by algorithm.
std::vector<std::vector<std::string>> all_reduces_of_readme() {
  std::ifstream readme(FLITCAST_SOURCE "/models/collective/README.md");
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(readme, line);) {
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

TEST_CASE("the README's table of all-reduces is what runs say", "[program]") {
  const Folder folder;
  const auto rows = all_reduces_of_readme();
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

TEST_CASE("a comparison explains messages that share channels, where some do", "[program]") {
  const Folder folder;
  const std::string words =
      "  shared: most messages of a round on one channel; above 1 a run takes";
  const auto explained = [&](const std::string& topology, const std::string& operation) {
    folder.write("x.yaml",
                 Collective{topology, "dimension_order", "binomial", operation, "one"}.text());
    const Outcome text = run(folder.path(), {"schedule", "--compare", "x.yaml"});
    return text.out.find(words) != std::string::npos;
  };
  CHECK(explained("kind: mesh, sizes: [4, 4]", "broadcast"));
  CHECK_FALSE(explained("kind: mesh, sizes: [2]", "broadcast"));
}

TEST_CASE("what is no collective operation is not compared", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(refusal(folder, {"schedule", "--compare", "x.yaml"})
            .find("workload.kind: there are no algorithms to compare but those of collective") !=
        std::string::npos);
}
