// SPDX-License-Identifier: Apache-2.0
// Quality of service: the arbitration of routers against queueing theory and shares by hand.
#include <map>
#include <string>
#include <vector>

#include "experiment.h"
#include "sim/experiment/model.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/sweep.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

struct Served {
  std::map<std::string, double> flits;    ///< By class: flits per cycle that the network accepted.
  std::map<std::string, double> latency;  ///< By class: mean latency of packets of the window.
  double longest = 0;                     ///< The longest latency.
  double relaxation = 0;                  ///< The relaxation time of all packets.
  std::string notes;
  Status status = Status::kOk;
  bool deadlock = false;
};

struct Setting {
  std::string topology;
  std::string router;
  std::string classes;
  std::uint64_t window = 20000;
};

Served serve(const Setting& setting) {
  testing::install_fresh_kernel();
  program::Experiment experiment;
  experiment.topology = setting.topology;
  experiment.workload = "{kind: traffic, classes: [" + setting.classes + "]}";
  experiment.routing = setting.topology.find("mesh") != std::string::npos
                           ? "{kind: dimension_order}"
                           : "{kind: shortest_path}";
  experiment.more = "router: {" + setting.router + "}";
  const Configuration configuration =
      validate(parse_document(experiment.text(), "service.yaml"), experiment_schema());
  const Model model = make_model(configuration, false);
  MeasurementPlan plan;
  plan.warmup = 3000;
  plan.window = setting.window;
  plan.drain_limit = 3000;
  plan.watchdog = 200;
  const Measurement measured =
      measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {});
  Served served;
  for (const ClassCount& one : measured.classes) {
    served.flits[one.name] = static_cast<double>(one.packets.flits_accepted()) /
                             static_cast<double>(measured.window_cycles);
    const LatencyProbe& latency = one.packets.latency();
    if (latency.count() > 0) served.latency[one.name] = latency.packet_latency().mean();
  }
  const LatencyProbe& all = measured.packets->latency();
  if (all.count() > 0) served.longest = static_cast<double>(all.packet_latency().max());
  for (const std::string& note : measured.verdict.notes) served.notes += note + "\n";
  served.status = measured.verdict.status;
  if (measured.interval) served.relaxation = measured.interval->relaxation;
  served.deadlock = !measured.deadlock_cycle.empty();
  return served;
}

/// A class whose packets all go to node `to`, at the given load of each node.
std::string to_node(int to, const std::string& name, const std::string& loads,
                    const std::string& keys) {
  return "{name: " + name + ", pattern: hot_spot, hot_spots: [" + std::to_string(to) +
         "], hot_fraction: 1, load: [" + loads + "], " + keys + "}";
}

constexpr const char* kNine = "{kind: crossbar, nodes: 9}";
// A head leaves in the cycle of its arrival if it wins.
constexpr const char* kPrompt =
    "virtual_channels: 16, buffer_depth: 8, pipeline: {route: 0, vc_allocation: 0, traversal: 0}, "
    "arbitration: ";
constexpr const char* kHigh = "virtual_channels: [0, 7], packet_length: 1, priority: 2";
constexpr const char* kLow = "virtual_channels: [8, 15], packet_length: 1";

/// Classes high and low of four nodes each that share an output.
std::string two_classes(const std::string& high, const std::string& low) {
  const auto four = [](const std::string& load) {
    return load + ", " + load + ", " + load + ", " + load;
  };
  return to_node(0, "high", "0, " + four(high) + ", 0, 0, 0, 0", kHigh) + ", " +
         to_node(0, "low", "0, 0, 0, 0, 0, " + four(low), kLow);
}

/// The mean wait in a queue of which n sources fill and one flit per cycle leaves.
/// Source: Karol, Hluchyj and Morgan, IEEE Trans. Communications 35(12), 1987 (output queues).
double wait_of(double n, double p) { return (n - 1) * p / (2 * (1 - n * p)); }

/// Four nodes of a row that all send to its end as much as they can, each a class of its own.
std::string parking_lot(const std::string& load) {
  std::string classes;
  for (int n = 0; n < 4; ++n) {
    std::string loads;
    for (int m = 0; m < 5; ++m) loads += (m == 0 ? "" : ", ") + (m == n ? load : "0");
    classes +=
        (n == 0 ? "" : ", ") + to_node(4, "n" + std::to_string(n), loads, "packet_length: 4");
  }
  return classes;
}

Served park(const std::string& arbitration, const std::string& load) {
  return serve({"{kind: mesh, sizes: [5]}",
                "virtual_channels: 8, buffer_depth: 16, arbitration: " + arbitration,
                parking_lot(load)});
}

}  // namespace

TEST_CASE("classes wait as in a queue with priorities: Geo/D/1 and its conservation law", "[sim]") {
  constexpr double kRate = 0.1;
  const Served idle =
      serve({kNine, std::string(kPrompt) + "priority", two_classes("0.002", "0.002")});
  const double empty = idle.latency.at("high");
  const double both = wait_of(8, kRate);
  const double high = wait_of(4, kRate);
  CHECK(empty == Approx(idle.latency.at("low")).margin(0.05));

  const Served ordered =
      serve({kNine, std::string(kPrompt) + "priority", two_classes("0.1", "0.1"), 150000});
  CHECK(ordered.latency.at("high") - empty == Approx(high).epsilon(0.06));
  CHECK(ordered.latency.at("low") - empty == Approx(2 * both - high).epsilon(0.06));

  const Served alike =
      serve({kNine, std::string(kPrompt) + "round_robin", two_classes("0.1", "0.1"), 150000});
  CHECK(alike.latency.at("high") - empty == Approx(both).epsilon(0.06));
  CHECK(alike.latency.at("low") - empty == Approx(both).epsilon(0.06));
}

TEST_CASE("a class that starves under an overload of a higher one is noted, and is no deadlock",
          "[sim]") {
  const Served starved =
      serve({kNine, std::string(kPrompt) + "priority", two_classes("0.3", "0.05")});
  CHECK(starved.notes.find("class low starves, which is no deadlock") != std::string::npos);
  CHECK(starved.notes.find("class high") == std::string::npos);
  CHECK(starved.status == Status::kSaturated);
  CHECK_FALSE(starved.deadlock);
  CHECK(starved.flits.at("low") < 0.002);

  const Served below =
      serve({kNine, std::string(kPrompt) + "priority", two_classes("0.24", "0.05")});
  CHECK(below.notes.find("starves") == std::string::npos);
  CHECK(below.flits.at("low") == Approx(0.04).margin(0.01));

  const Served alike =
      serve({kNine, std::string(kPrompt) + "round_robin", two_classes("0.3", "0.05")});
  CHECK(alike.notes.find("starves") == std::string::npos);
}

TEST_CASE("a guaranteed rate is kept with a bucket of one flit, too", "[sim]") {
  for (const double rate : {0.41, 0.6, 0.95}) {
    const std::string load = std::to_string(rate * 0.95);
    const Served served =
        serve({kNine, std::string(kPrompt) + "guaranteed",
               to_node(0, "high", "0, " + load + ", 0, 0, 0, 0, 0, 0, 0",
                       std::string(kHigh) + ", burst: 1, rate: " + std::to_string(rate)) +
                   ", " + to_node(0, "low", "0, 0, 1, 1, 1, 0, 0, 0, 0", kLow)});
    INFO("rate " << rate);
    CHECK(served.flits.at("high") == Approx(rate * 0.95).epsilon(0.02));
    const Served more =
        serve({kNine, std::string(kPrompt) + "guaranteed",
               to_node(0, "high", "0, 1, 1, 0, 0, 0, 0, 0, 0",
                       std::string(kHigh) + ", burst: 1, rate: " + std::to_string(rate)) +
                   ", " + to_node(0, "low", "0, 0, 0, 1, 1, 0, 0, 0, 0", kLow)});
    CHECK(more.flits.at("high") >= rate * 0.99);
  }
}

TEST_CASE("classes share a saturated channel in the ratio of their weights", "[sim]") {
  const auto shares = [](const std::string& arbitration, const std::string& weight) {
    const std::string sources = "0, 1, 1, 0, 0, 0, 0, 0, 0";
    return serve({kNine, std::string(kPrompt) + arbitration,
                  to_node(0, "high", "0, 1, 0, 0, 0, 0, 0, 0, 0",
                          "virtual_channels: [0, 7], packet_length: 3" + weight) +
                      ", " +
                      to_node(0, "low", "0, 0, 1, 1, 1, 0, 0, 0, 0",
                              "virtual_channels: [8, 15], packet_length: 5")})
        .flits;
  };
  const auto weighted = shares("weighted", ", weight: 3");
  CHECK(weighted.at("high") == Approx(0.75).epsilon(0.01));
  CHECK(weighted.at("low") == Approx(0.25).epsilon(0.02));
  const auto equal = shares("weighted", "");
  CHECK(equal.at("high") == Approx(0.5).epsilon(0.01));
  // Each of the four inputs gets a quarter.
  CHECK(shares("round_robin", "").at("high") == Approx(0.25).epsilon(0.05));
}

TEST_CASE("a guaranteed rate is met under overload, and the rest is shared", "[sim]") {
  const auto run = [](const std::string& load, const std::string& keys,
                      const std::string& keys_of_low = "") {
    return serve({kNine, std::string(kPrompt) + (keys.empty() ? "round_robin" : "guaranteed"),
                  to_node(0, "high", "0, " + load + ", 0, 0, 0, 0, 0, 0, 0",
                          "virtual_channels: [0, 7], packet_length: 1" + keys) +
                      ", " +
                      to_node(0, "low", "0, 0, 1, 1, 1, 0, 0, 0, 0",
                              "virtual_channels: [8, 15], packet_length: 1" + keys_of_low)});
  };
  const Served met = run("0.45", ", rate: 0.5");
  CHECK(met.flits.at("high") == Approx(0.45).epsilon(0.03));
  CHECK(met.flits.at("low") == Approx(1 - met.flits.at("high")).epsilon(0.01));
  CHECK(run("0.45", "").flits.at("high") == Approx(0.25).epsilon(0.05));
  // 0.5 are guaranteed, and of the other half the class has one of two turns, or three of four.
  CHECK(run("1", ", rate: 0.5").flits.at("high") == Approx(0.75).epsilon(0.01));
  CHECK(run("1", ", rate: 0.5, weight: 3").flits.at("high") == Approx(0.875).epsilon(0.01));
  // A short bucket loses tokens while its class has nothing to send, and here nearly all of the
  // rest goes to the other class. Without tokens to spare a flit leaves in every second cycle: the
  // mean wait of Geo/D/1 is p D (D - 1) / (2 (1 - p D)).
  const double full = run("0.45", ", rate: 0.5, burst: 64", ", weight: 1024").latency.at("high");
  const double none = run("0.45", ", rate: 0.5, burst: 1", ", weight: 1024").latency.at("high");
  CHECK(none - full == Approx(0.45 * 2 / (2 * (1 - 0.45 * 2))).margin(0.7));
}

TEST_CASE("a network settles no sooner than the largest bucket fills again", "[sim]") {
  const auto relaxation = [](const std::string& burst) {
    return serve({"{kind: mesh, sizes: [3, 3]}", "arbitration: guaranteed",
                  "{name: a, load: 0.1, packet_length: 1, rate: 0.25, burst: " + burst +
                      "}, {name: b, load: 0.1, packet_length: 1}"})
        .relaxation;
  };
  CHECK(relaxation("5000") == Approx(5000 / 0.25));
  CHECK(relaxation("4") < 100);
}

TEST_CASE("in a parking lot the nearest gets most in turn, all alike by age, the farthest by hops",
          "[sim]") {
  const auto in_turn = park("round_robin", "1").flits;
  CHECK(in_turn.at("n0") == Approx(0.125).epsilon(0.05));
  CHECK(in_turn.at("n1") == Approx(0.125).epsilon(0.05));
  CHECK(in_turn.at("n2") == Approx(0.25).epsilon(0.05));
  CHECK(in_turn.at("n3") == Approx(0.5).epsilon(0.05));
  const auto by_age = park("age", "1").flits;
  for (const auto& [name, flits] : by_age) CHECK(flits == Approx(0.25).epsilon(0.05));
  const auto by_hops = park("hops", "1").flits;
  CHECK(by_hops.at("n0") > 0.9);
  CHECK(by_hops.at("n3") < 0.05);
}

TEST_CASE("age bounds the spread of latencies below saturation", "[sim]") {
  const Served in_turn = park("round_robin", "0.225");
  const Served by_age = park("age", "0.225");
  CHECK(by_age.longest < 0.7 * in_turn.longest);
  CHECK(by_age.latency.at("n0") < in_turn.latency.at("n0"));
}
