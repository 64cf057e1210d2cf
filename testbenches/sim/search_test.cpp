// SPDX-License-Identifier: Apache-2.0
// The search alone, with formulas in place of runs.
#include "sim/sweep/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "observed.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

using Json = nlohmann::ordered_json;

constexpr double kIdle = 20;

Configuration searching(const std::string& keys) {
  return configuration_of(
      "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
      "workload: {kind: traffic}\nsearch: {find: saturation" +
      keys + "}\n");
}

/// Result of a queue that saturates at `capacity`: its latency is 20 / (1 - load / capacity), and
/// from `capacity` on its status is saturated.
Json queue(double load, double capacity) {
  const bool over = load >= capacity;
  const double latency = over ? 1e4 : kIdle / (1 - load / capacity);
  return {{"id", "x"},
          {"status", over ? "saturated" : "ok"},
          {"latency_cycles", {{"mean", latency}, {"mean_half_width_95", latency / 1e6}}},
          {"topology", {{"nodes", 16}}},
          {"window_cycles", 10000},
          {"offered_flits_per_node_cycle", load},
          {"accepted_flits_per_node_cycle", {{"mean", std::min(load, capacity)}}}};
}

Json found(const std::string& keys, double capacity) {
  return search_result(searching(keys),
                       [=](const TrialPlan& plan) { return queue(plan.value, capacity); });
}

/// Result of the same queue whose window is too short for an interval of the mean: the mean is
/// off by up to a share, `scatter`, evenly over the seeds: 0.5, -0.5, 1, -1, ... of it. The idle
/// queue has an interval.
Json open_run(const TrialPlan& plan, double capacity, double scatter) {
  Json run = queue(plan.value, capacity);
  if (plan.value == 0.01) return run;
  const double side = plan.seed % 2 == 1 ? 1 : -1;
  const double share = scatter * side * (plan.seed % 4 < 2 ? 1 : 0.5);
  run["latency_cycles"] = {{"mean", run["latency_cycles"]["mean"].get<double>() * (1 + share)}};
  run["window_cycles"] = plan.window;
  run["seed"] = plan.seed;
  return run;
}

/// A network that carries less than 0.4 in short windows, but collapses in long ones from 0.35 on
/// and then accepts 0.25.
Json collapse_or(const TrialPlan& plan, const Json& sound) {
  const bool collapses = plan.value >= (plan.window >= 100000 ? 0.35 : 0.4);
  return collapses ? queue(plan.value, 0.25) : sound;
}
Json metastable(const TrialPlan& plan) { return collapse_or(plan, queue(plan.value, 10)); }

}  // namespace

TEST_CASE("by the rule of latency the load is found at which it is that multiple of the lowest",
          "[sim]") {
  for (const double capacity : {0.05, 0.3, 0.77}) {
    for (const double factor : {1.5, 3.0}) {
      const Json result = found(", factor: " + std::to_string(factor), capacity);
      const double lowest = kIdle / (1 - 0.01 / capacity);
      const double exact = capacity * (1 - kIdle / (factor * lowest));
      const Json& saturation = result["saturation"];
      INFO("capacity " << capacity << ", factor " << factor << ": " << saturation);
      CHECK(result["status"] == "ok");
      CHECK(saturation["below"] <= exact);
      CHECK(saturation["above"] >= exact);
      CHECK(std::abs(saturation["value"].get<double>() - exact) <= 0.01 * exact);
    }
  }
}

TEST_CASE("by the rule of accepted load it is found where a share of the offer is lost", "[sim]") {
  const char* const keys = ", rule: accepted, share: 0.8, precision: 0.001";
  const Json result = search_result(searching(keys), [](const TrialPlan& plan) {
    Json run = queue(plan.value, 0.4);
    run["status"] = "ok";
    return run;
  });
  CHECK(std::abs(result["saturation"]["value"].get<double>() - 0.5) < 0.0005);
  CHECK(result["saturation"]["accepted_flits_per_node_cycle"] == 0.4);
  // A run that is saturated by its status is beyond, whatever it accepts.
  CHECK(std::abs(found(keys, 0.4)["saturation"]["value"].get<double>() - 0.4) < 0.0005);
}

TEST_CASE("a search halves: its runs are as many as that takes, and the costly end is not one",
          "[sim]") {
  const Json result = found(", from: 0.1, to: 0.9, precision: 0.01", 0.3);
  // One at the lowest load, bisections of 0.8 down to a hundredth of about 0.2, and one in a long
  // window.
  CHECK(result["saturation"]["runs"] == 2 + std::ceil(std::log2(0.8 / 0.002)));
  CHECK(result["trials"].size() == result["saturation"]["runs"]);
  for (const Json& trial : result["trials"]) CHECK(trial["value"] != 0.9);
}

TEST_CASE("a search that finds nothing says why: exit code 3 by its status", "[sim]") {
  const Json calm = found(", to: 0.2", 0.9);
  CHECK(calm["status"] == "unmeasured");
  CHECK(calm["reason"] == "the network is not clearly saturated at search.to, 0.2");
  CHECK_FALSE(calm["saturation"].contains("value"));
  CHECK(found("", 0.005)["reason"] == "the network is saturated at search.from already");
  const Json silent = search_result(searching(""), [](const TrialPlan&) {
    return Json{{"status", "unmeasured"}, {"complete", true}};
  });
  CHECK(silent["reason"] == "nothing was measured at search.from: raise it, or measure.window");
}

TEST_CASE("the upper end is looked at if nothing below it is saturated", "[sim]") {
  const Json result = found(", to: 0.4, rule: accepted, share: 1, precision: 0.1", 0.399);
  CHECK(result["saturation"]["above"] == 0.4);
}

TEST_CASE("a load that collapses in longer windows is not the answer", "[sim]") {
  std::vector<TrialPlan> plans;
  const Json result = search_result(searching(""), [&](const TrialPlan& plan) {
    plans.push_back(plan);
    Json run = metastable(plan);
    run["window_cycles"] = plan.window;
    return run;
  });
  const Json& saturation = result["saturation"];
  INFO(saturation);
  CHECK(saturation["confirmed"] == true);
  CHECK(saturation["below"] < 0.35);
  CHECK(saturation["below"] > 0.34);
  CHECK(saturation["above"] >= 0.35);
  CHECK(saturation["above"].get<double>() - saturation["below"].get<double>() <= 0.0036);
  CHECK(saturation["confirmation"]["runs"] == 3);
  CHECK(saturation["confirmation"]["window_cycles"] == 100000);
  CHECK(saturation["confirmation"]["collapses"] > 0);
  CHECK(saturation["throughput_beyond"] == 0.25 / saturation["below"].get<double>());
  REQUIRE(result["notes"].size() == 1);
  CHECK(result["notes"][0].get<std::string>().find("beyond saturation the network accepts 28 % "
                                                   "less") == 0);
  for (const TrialPlan& plan : plans) CHECK((plan.window == 100000) == (plan.seed != 1));
  CHECK(search_outcome(result).find("; held for 3 x 100000 cycles: with 95 % confidence it "
                                    "collapses less often than once in 100000 cycles") !=
        std::string::npos);
}

TEST_CASE("beyond saturation counts what is accepted since a collapse in the window", "[sim]") {
  const Json result = search_result(searching(", confirm: 0"), [](const TrialPlan& plan) {
    Json run = queue(plan.value, 0.4);
    if (run["status"] == "saturated") {
      run["backlog"]["collapse"]["accepted_flits_per_node_cycle"] = 0.1;
    }
    return run;
  });
  const Json& saturation = result["saturation"];
  CHECK(saturation["throughput_beyond"] == 0.1 / saturation["below"].get<double>());
}

TEST_CASE("of several saturated runs the one that accepts least counts", "[sim]") {
  std::set<double> accepted;
  const Json result =
      search_result(searching(", confirm: 0, rule: accepted"), [&](const TrialPlan& plan) {
        Json run = queue(plan.value, 0.4);
        if (run["status"] == "saturated") {
          const double fewer = 0.4 - 0.2 * (plan.value - 0.4);
          accepted.insert(fewer);
          run["accepted_flits_per_node_cycle"]["mean"] = fewer;
        }
        return run;
      });
  REQUIRE(accepted.size() > 1);
  const Json& saturation = result["saturation"];
  CHECK(saturation["throughput_beyond"] == *accepted.begin() / saturation["below"].get<double>());
}

TEST_CASE("confirming runs have seeds that are exact and differ, even after the largest", "[sim]") {
  Configuration point = configuration_of(
      "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
      "workload: {kind: traffic}\nsearch: {find: saturation}\nseed: 9007199254740990\n");
  std::set<std::uint64_t> confirming;
  search_result(point, [&](const TrialPlan& plan) {
    if (plan.window == 100000) confirming.insert(plan.seed);
    return metastable(plan);
  });
  CHECK(confirming == std::set<std::uint64_t>{999999, 2000000, 3000001});
}

TEST_CASE("the searches of repetitions share no run", "[sim]") {
  const auto seeds = [](const std::string& seed) {
    std::set<std::uint64_t> all;
    search_result(configuration_of("topology: {kind: mesh, sizes: [4, 4]}\n"
                                   "routing: {kind: dimension_order}\nworkload: {kind: traffic}\n"
                                   "search: {find: saturation}\nseed: " +
                                   seed + "\n"),
                  [&](const TrialPlan& plan) {
                    all.insert(plan.seed);
                    return metastable(plan);
                  });
    return all;
  };
  const std::set<std::uint64_t> first = seeds("1");
  REQUIRE(first.size() > 2);
  for (const char* seed : {"2", "3", "4"}) {
    for (const std::uint64_t one : seeds(seed)) CHECK(first.count(one) == 0);
  }
}

TEST_CASE("without confirmation a search says so", "[sim]") {
  const Json result = search_result(searching(", confirm: 0"), metastable);
  CHECK(result["saturation"]["confirmed"] == false);
  CHECK(result["saturation"]["below"] > 0.39);
  CHECK(search_outcome(result).find("; not confirmed at longer windows") != std::string::npos);
}

TEST_CASE("a network that keeps its throughput is confirmed by one run, of ten windows", "[sim]") {
  const Json result = found("", 0.3);
  CHECK(result["saturation"]["throughput_beyond"].get<double>() > 0.97);
  CHECK(result["saturation"]["confirmation"]["runs"] == 1);
  CHECK_FALSE(result.contains("notes"));
}

TEST_CASE("loads beyond the capacity are saturated without a run, by every rule", "[sim]") {
  for (const char* rule : {"latency", "accepted"}) {
    const Json result =
        search_result(searching(std::string(", rule: ") + rule), [](const TrialPlan& plan) {
          Json run = queue(plan.value, 0.9);
          CHECK(plan.value < 0.3);
          run["capacity"]["flits_per_node_cycle"] = 0.3;
          return run;
        });
    CHECK(result["saturation"]["above"] == 0.3);
    CHECK(result["saturation"]["below"] > 0.29);
  }
}

TEST_CASE("by accepted load a run decides beyond what chance explains, or in a longer window",
          "[sim]") {
  // For 16 nodes in 10000 cycles a backlog of 12000 flits is a load of 0.075, two thirds of which
  // are the interval. At 0.3 the network accepts 0.05 less than the share of 0.98.
  for (const double chance : {11000.0, 13000.0}) {
    std::vector<std::uint64_t> windows;
    const Json result =
        search_result(searching(", rule: accepted, precision: 0.5, from: 0.1, to: 0.5, confirm: 0"),
                      [&](const TrialPlan& plan) {
                        windows.push_back(plan.window);
                        Json run = queue(plan.value, plan.value == 0.3 ? 0.98 * 0.3 - 0.05 : 10);
                        run["status"] = plan.value == 0.5 ? "saturated" : "ok";
                        run["window_cycles"] = plan.window;
                        run["backlog"] = {{"chance", chance}};
                        return run;
                      });
    CHECK(result["trials"][1].contains("over") == (chance < 12000));
    CHECK(windows[2] == (chance < 12000 ? 10000 : 20000));
  }
}

TEST_CASE("a run whose interval does not decide is repeated in longer windows", "[sim]") {
  std::vector<std::uint64_t> windows;
  const Json late =
      search_result(searching(", precision: 0.5, to: 0.5, confirm: 0"), [&](const TrialPlan& plan) {
        windows.push_back(plan.window);
        return plan.window < 40000 ? open_run(plan, 0.4, 0) : queue(plan.value, 0.4);
      });
  CHECK(windows == std::vector<std::uint64_t>{160000, 10000, 20000, 40000, 10000});
  CHECK_FALSE(late["trials"][1].contains("over"));
  CHECK(late["trials"][3]["over"] == false);
}

TEST_CASE("a longer window of a search has a warm-up of half of what it is longer", "[sim]") {
  const auto warmups = [](const std::string& warmup) {
    std::map<std::uint64_t, std::set<std::uint64_t>> found;
    search_result(configuration_of("topology: {kind: mesh, sizes: [4, 4]}\n"
                                   "routing: {kind: dimension_order}\nworkload: {kind: traffic}\n"
                                   "search: {find: saturation, precision: 0.5}\n"
                                   "measure: {window: 10000, warmup: " +
                                   warmup + "}\n"),
                  [&](const TrialPlan& plan) {
                    found[plan.window].insert(plan.warmup);
                    return plan.window < 40000 ? open_run(plan, 0.4, 0) : queue(plan.value, 0.4);
                  });
    return found;
  };
  using Found = std::map<std::uint64_t, std::set<std::uint64_t>>;
  CHECK(
      warmups("500") ==
      Found{
          {10000, {500}}, {20000, {5000}}, {40000, {15000}}, {100000, {45000}}, {160000, {75000}}});
  CHECK(warmups("20000") == Found{{10000, {20000}},
                                  {20000, {20000}},
                                  {40000, {20000}},
                                  {100000, {45000}},
                                  {160000, {75000}}});
}

// Windows of networks near saturation are too short for an interval, however far their means are
// from the limit: they are neither saturated nor not.
TEST_CASE("where no window decides, the mean over runs of other seeds does", "[sim]") {
  for (const double scatter : {0.01, 0.1}) {
    const Json result = search_result(searching(", confirm: 4"), [=](const TrialPlan& plan) {
      return open_run(plan, 0.4, scatter);
    });
    const double exact = 0.4 * (1 - (1 - 0.01 / 0.4) / 3);
    const Json& saturation = result["saturation"];
    INFO("scatter " << scatter << ": " << result);
    CHECK(saturation["below"] <= exact);
    CHECK(saturation["above"] >= exact);
    const double width = saturation["above"].get<double>() - saturation["below"].get<double>();
    CHECK(width <= (result.contains("notes") ? 0.02 + scatter : 0.01) * exact);
    std::map<double, std::set<std::uint64_t>> seeds;
    for (const Json& trial : result["trials"]) {
      if (trial.value("window_cycles", 0) != 160000) continue;
      seeds[trial["value"].get<double>()].insert(trial["seed"].get<std::uint64_t>());
    }
    for (const auto& [load, some] : seeds) {
      INFO(load);
      CHECK(some.size() >= 2);
      CHECK(some.size() <= 8);
      // Eight runs leave open only what is close to the limit.
      CHECK((some.size() < 8 || std::abs(load - exact) < scatter * exact / 2));
      // Far from the limit two runs say enough.
      if (scatter == 0.01 && std::abs(load - exact) > 0.05) CHECK(some.size() <= 3);
    }
  }
}

TEST_CASE("runs that decide by their mean have other seeds than those that confirm", "[sim]") {
  std::set<std::uint64_t> deciding;
  std::set<std::uint64_t> confirming;
  search_result(searching(", confirm: 5"), [&](const TrialPlan& plan) {
    (plan.window == 100000 ? confirming : deciding).insert(plan.seed);
    return collapse_or(plan, open_run(plan, 10, 1));
  });
  CHECK(deciding.size() > 2);
  CHECK(confirming == std::set<std::uint64_t>{1000002, 2000003, 3000004, 4000005, 5000006});
  for (const std::uint64_t seed : confirming) CHECK(deciding.count(seed) == 0);
}

TEST_CASE("a load that eight runs leave open is within the bracket, with a note", "[sim]") {
  for (const double capacity : {0.3, 0.4}) {
    const Json result = search_result(
        searching(", precision: 0.3, to: 0.5, confirm: 0"), [=](const TrialPlan& plan) {
          return plan.value == 0.255 ? open_run(plan, capacity, 10) : queue(plan.value, 0.4);
        });
    INFO(result);
    // The idle run, windows of 10000 to 160000 cycles and 7 more of the last length.
    REQUIRE(result["trials"].size() >= 13);
    for (std::size_t i = 1; i < 13; ++i) CHECK_FALSE(result["trials"][i].contains("over"));
    CHECK(result["notes"] == Json{"at 0.255 8 runs of 160000 cycles leave it open if the network "
                                  "is saturated"});
    CHECK(result["saturation"]["below"] == 0.19375);
    CHECK(result["saturation"]["above"] == 0.31625);
  }
}

TEST_CASE("an upper end that eight runs leave open is no answer", "[sim]") {
  const Json result =
      search_result(searching(", precision: 0.3, to: 0.27, confirm: 0"), [](const TrialPlan& plan) {
        return plan.value == 0.27 ? open_run(plan, 0.4, 10) : queue(plan.value, 0.4);
      });
  CHECK(result["reason"] == "the network is not clearly saturated at search.to, 0.27");
}

TEST_CASE("a load is saturated if one of the runs of other seeds is", "[sim]") {
  const Json result =
      search_result(searching(", precision: 0.5, to: 0.5, confirm: 0"), [](const TrialPlan& plan) {
        if (plan.value != 0.255) return queue(plan.value, 0.4);
        return plan.seed < 2'000'000 ? open_run(plan, 0.4, 10) : queue(plan.value, 0.2);
      });
  INFO(result);
  REQUIRE(result["trials"].size() == 9);
  CHECK_FALSE(result["trials"][6].contains("over"));
  CHECK(result["trials"][7]["over"] == true);
  CHECK(result["saturation"]["above"] == 0.255);
  CHECK_FALSE(result.contains("notes"));
}

TEST_CASE("a confirming run with a mean beyond the limit by chance is no collapse", "[sim]") {
  const Json result = search_result(searching(""), [](const TrialPlan& plan) {
    Json run = queue(plan.value, 0.4);
    if (plan.window == 100000) {
      run["latency_cycles"] = {{"mean", 65}};  // The limit is 61.5.
    }
    return run;
  });
  INFO(result);
  CHECK(result["saturation"]["confirmation"]["collapses"] == 0);
  CHECK(result["saturation"]["below"] >= 0.265);
  CHECK(result["trials"].back()["over"] == false);
}

TEST_CASE("a run is not repeated in windows that its relaxation time rules out", "[sim]") {
  std::vector<std::uint64_t> windows;
  search_result(searching(", precision: 0.5, to: 0.5, confirm: 0"), [&](const TrialPlan& plan) {
    windows.push_back(plan.window);
    Json result = queue(plan.value, 0.4);
    if (plan.value > 0.01 && plan.window < 65000) {
      result["latency_cycles"].erase("mean_half_width_95");
      result["latency_cycles"]["sufficient_window"] = 130000;  // Twice the least.
    }
    return result;
  });
  REQUIRE(windows.size() >= 3);
  CHECK(windows[2] == 65000);
}
