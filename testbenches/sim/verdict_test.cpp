// SPDX-License-Identifier: Apache-2.0
// Verdicts where the truth is known independently: neither the load nor the time of a run is too
// small.
#include <algorithm>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "known_capacity.h"
#include "result.h"

using namespace flitcast::program;

namespace {

Json run_of(const Experiment& experiment, int exit_code = 0) {
  const Folder folder;
  folder.write("x.yaml", experiment.text());
  return result_of(folder.path(), "x.yaml", {}, exit_code);
}

Experiment with_measure(const std::string& measure) {
  Experiment experiment;
  experiment.measure = measure;
  return experiment;
}

/// Returns the highest load of all links of a kind.
double most(const Json& links, const std::string& kind) {
  double most = 0;
  for (const Json& link : links) {
    if (link["kind"] == kind) most = std::max(most, link["load"].get<double>());
  }
  return most;
}

/// A list of 16 loads: that of node 0, and that of all others.
std::string loads(const char* first, const char* others) {
  std::string list = std::string("[") + first;
  for (int node = 1; node < 16; ++node) list += std::string(", ") + others;
  return list + "]";
}

/// A 4x4 mesh on which one class sends packets of 1 flit and another long ones, on virtual channels
/// of their own.
Experiment short_and_long(const std::string& short_load, const std::string& long_load) {
  Experiment experiment;
  experiment.topology = "{kind: mesh, sizes: [4, 4]}";
  experiment.workload =
      "{kind: traffic, classes: [{name: short, packet_length: 1, virtual_channels: [0, 0], load: " +
      short_load +
      "}, {name: long, packet_length: 500, virtual_channels: [1, 1], load: " + long_load + "}]}";
  experiment.measure = "{warmup: 1000, window: 10000}";
  experiment.more = "router: {virtual_channels: 2, buffer_depth: 4}";
  return experiment;
}

}  // namespace

TEST_CASE("just below capacity a run is ok, just above it is saturated, in 10000 cycles",
          "[program]") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(status_at(pair, 0.97, 10000) == "ok");
    CHECK(status_at(pair, 1.03, 10000) == "saturated");
  }
}

TEST_CASE("check says that a load above the capacity saturates it, and of one below nothing",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", with_topology("{kind: mesh, sizes: [8, 8]}").text());
  const auto said = [&](const std::string& load) {
    return run(folder.path(), {"check", "x.yaml", "--set", "workload.load=" + load}).out;
  };
  const std::string below = said("0.49");
  REQUIRE(below.find("capacity ") != std::string::npos);
  CHECK(below.find("saturates it") == std::string::npos);
  CHECK(said("0.51").find("a load of 0.51 saturates it\n") != std::string::npos);
}

TEST_CASE("bursts at nine tenths of the capacity are no saturation", "[program]") {
  for (const Pair& pair : kPairs) {
    if (pair.collapses) continue;
    INFO(pair.name);
    Pair bursts = pair;
    const std::string workload = bursts.workload + std::string(", injection: on_off");
    bursts.workload = workload.c_str();
    CHECK(status_at(bursts, 0.9, 10000) != "saturated");
  }
}

TEST_CASE("long packets of others do not hide a source that is offered too much", "[program]") {
  // A virtual channel of 4 flits carries at most 4 of them in each credit round trip.
  const Folder folder;
  Experiment experiment = short_and_long(loads("0.4", "0"), loads("0", "0.03"));
  experiment.more += "\nlink: {latency: 8, credit_latency: 8}";
  folder.write("x.yaml", experiment.text());
  for (const char* seed : {"seed=1", "seed=2", "seed=3", "seed=4"}) {
    const Json result = result_of(folder.path(), "x.yaml", {"--set", seed}, 3);
    CHECK(result["status"] == "saturated");
    CHECK(result["backlog"]["source"]["node"] == 0);
  }
}

TEST_CASE("a class has no interval where the waits behind another are too slow for one",
          "[program]") {
  const Folder folder;
  // Some long packets are sent in the window, and short ones wait behind each of them.
  Experiment experiment = short_and_long("0.1", "0.03");
  experiment.more = "";
  folder.write("x.yaml", experiment.text());
  const Json result = result_of(folder.path(), "x.yaml",
                                {"--set", "workload.classes[1].packet_length=1000", "--set",
                                 "workload.classes[0].virtual_channels=[0,3]", "--set",
                                 "workload.classes[1].virtual_channels=[0,3]"});
  for (const Json& one : result["classes"]) {
    CHECK_FALSE(one["latency_cycles"].contains("mean_half_width_95"));
    CHECK(one["latency_cycles"]["relaxation_cycles"] >=
          result["latency_cycles"]["relaxation_cycles"]);
  }
}

TEST_CASE("sparse traffic and windows of a few cycles are no saturation", "[program]") {
  CHECK(run_of(with_workload("{kind: traffic, load: 0.001}"))["status"] == "ok");
  for (const char* measure :
       {"{warmup: 0, window: 10}", "{warmup: 0, window: 37}", "{warmup: 0, window: 100}",
        "{warmup: 30, window: 20}", "{warmup: 2000, window: 3}"}) {
    INFO(measure);
    const Folder folder;
    folder.write("x.yaml", with_measure(measure).text());
    const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--json", "-", "--quiet"});
    CHECK(Json::parse(outcome.out)["status"] != "saturated");
  }
}

TEST_CASE("a network that is still filling up is not in steady state: exit code 3, and told why",
          "[program]") {
  Experiment experiment;
  experiment.measure = "{warmup: 0, window: 1000}";
  experiment.more = "link: {latency: 300}\nrouter: {buffer_depth: 700}";
  const Json result = run_of(experiment, 3);
  CHECK(result["status"] == "not_steady");
  CHECK(result["complete"] == true);
  CHECK(result["reason"].get<std::string>().find("warm-up") != std::string::npos);
}

TEST_CASE("a window in which no packet is created is unmeasured: exit code 3", "[program]") {
  const Json result = run_of(with_workload("{kind: traffic, load: 0}"), 3);
  CHECK(result["status"] == "unmeasured");
  CHECK(result["reason"] == "no packet was created in the window");
  CHECK_FALSE(result.contains("latency_cycles"));
}

TEST_CASE("a window shorter than a packet is said in the result and on the terminal", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with_measure("{warmup: 500, window: 4}").text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--json", "-"});
  const Json result = Json::parse(outcome.out);
  const std::string note = "the window of 4 cycles is shorter than a packet, which takes 5";
  REQUIRE(result.contains("notes"));
  CHECK(std::count(result["notes"].begin(), result["notes"].end(), note) == 1);
  CHECK(outcome.err.find("note: " + note + "\n") != std::string::npos);
}

TEST_CASE("no channel is loaded beyond 100 %, however short the window and slow the channel",
          "[program]") {
  for (const char* router : {"wormhole", "virtual_cut_through", "store_and_forward"}) {
    for (const int window : {1, 3, 10, 100}) {
      INFO(router << ", " << window);
      Experiment experiment;
      experiment.workload = "{kind: traffic, load: 0.4}";
      experiment.measure = "{warmup: 300, window: " + std::to_string(window) + "}";
      experiment.more = std::string("link: {cycles_per_flit: 4}\nrouter: {kind: ") + router + "}";
      const Json links = run_of(experiment, 3)["links"];
      double loads = 0;
      for (const Json& link : links) {
        CHECK(link["load"] <= 1.0);
        // The load counts the flits sent, and one from before that is still on the channel.
        CHECK(link["load"].get<double>() * window <= 4.0 * link["flits"].get<double>() + 3);
        loads += link["load"].get<double>();
      }
      // Channels are busy most of the time, so even a window of one cycle sees flits on them.
      CHECK(loads > 5);
    }
  }
}

TEST_CASE("links tell injection and ejection channels apart from those between routers",
          "[program]") {
  Experiment experiment;
  experiment.measure = "{warmup: 100, window: 5000}";
  const Json result = run_of(experiment);
  const Json& links = result["links"];
  CHECK(links.size() == 48 + 16 + 16);
  double injected = 0;
  double ejected = 0;
  for (const Json& link : links) {
    const std::string kind = link["kind"];
    CHECK(link.contains("node") == (kind != "router"));
    CHECK(link.contains("from") == (kind != "injection"));
    CHECK(link.contains("port") == (kind != "injection"));
    CHECK(link.contains("to") == (kind != "ejection"));
    if (kind == "injection") {
      CHECK(link["node"] == link["to"]);  // In a mesh node n is at router n.
      injected += link["load"].get<double>();
    } else if (kind == "ejection") {
      CHECK(link["node"] == link["from"]);
      ejected += link["load"].get<double>();
    }
  }
  CHECK(injected / 16 ==
        Approx(result["offered_flits_per_node_cycle"].get<double>()).epsilon(0.01));
  CHECK(ejected / 16 ==
        Approx(result["accepted_flits_per_node_cycle"]["mean"].get<double>()).epsilon(0.01));
}

TEST_CASE("a hot spot shows in the backlog for it and in its ejection channel", "[program]") {
  Experiment experiment;
  experiment.workload =
      "{kind: traffic, pattern: hot_spot, hot_spots: [5], hot_fraction: 0.5, load: 0.2}";
  experiment.measure = "{warmup: 500, window: 5000}";
  const Json result = run_of(experiment, 3);
  CHECK(result["status"] == "saturated");
  CHECK(result["backlog"]["destination"]["node"] == 5);
  CHECK(result["backlog"]["flow"]["destination"] == 5);
  CHECK(result["backlog"]["destination"]["growth"] > result["backlog"]["destination"]["chance"]);
  CHECK(most(result["links"], "ejection") > 0.99);
  CHECK(result["links"][0]["node"] == 5);
}

TEST_CASE("a deadlock that only the last look finds is not called saturated", "[program]") {
  const Folder folder;
  const Outcome outcome =
      run(folder.path(),
          {"run", FLITCAST_SOURCE "/sim/examples/ring_deadlock.yaml", "--unsafe", "--json", "-",
           "--quiet", "--set",
           "measure={warmup: 1000, window: 3000, drain_limit: 3000, watchdog: 1000000}"});
  CHECK(outcome.exit_code == 4);
  const Json result = Json::parse(outcome.out);
  CHECK(result["status"] == "deadlock");
  CHECK(result["cycles"] == 7000);
  CHECK_FALSE(result.contains("reason"));
}

TEST_CASE("a deadlock is found at the end even if the watchdog is off", "[program]") {
  const Folder folder;
  const Outcome outcome =
      run(folder.path(),
          {"run", FLITCAST_SOURCE "/sim/examples/ring_deadlock.yaml", "--unsafe", "--json", "-",
           "--quiet", "--set", "measure={warmup: 1000, window: 3000, watchdog: 0}", "--set",
           "measure.drain_limit=3000"});
  CHECK(outcome.exit_code == 4);
  CHECK(Json::parse(outcome.out)["status"] == "deadlock");
}

TEST_CASE("a start-up longer than the watchdog's patience is no deadlock", "[program]") {
  Experiment experiment;
  experiment.workload = "{kind: collective, operation: broadcast, algorithm: binomial_tree}";
  experiment.topology = "{kind: hypercube, dimension: 3}";
  experiment.routing = "{kind: e_cube}";
  experiment.measure = "{watchdog: 10}";
  experiment.more = "node: {startup: 5000}";
  const Json result = run_of(experiment);
  CHECK(result["status"] == "ok");
  CHECK(result["cycles"] > 15000);
}

TEST_CASE("what is dropped in the warm-up does not stand for what the window waits for",
          "[program]") {
  Experiment experiment;
  experiment.topology = "{kind: clos, ports: [4], middle_switches: [1], switches: 4}";
  experiment.routing = "{kind: central_control}";
  experiment.workload = "{kind: clos_requests, load: 0.1, packet_length: 20}";
  experiment.measure = "{warmup: 5000, window: 2000, drain_limit: 0}";
  experiment.more = "router: {kind: circuit, when_blocked: drop}";
  // Packets of the last cycles of the window are in flight at its end.
  const Json result = run_of(experiment, 3);
  CHECK(result["status"] == "saturated");
  CHECK(result["circuit"]["dropped"] > 100);
}

TEST_CASE("a window too short for the precision that is asked for is imprecise: exit code 3",
          "[program]") {
  Experiment experiment;
  experiment.measure = "{warmup: 100, window: 16007, precision: 0.0001}";
  const Json result = run_of(experiment, 3);
  CHECK(result["status"] == "imprecise");
  CHECK(result["complete"] == true);
  CHECK(result["window_cycles"] == 16007);
  CHECK(
      result["reason"].get<std::string>().find(", not to the 0.01 % asked for: set measure.window "
                                               "to ") != std::string::npos);
  // Early checks of the precision do not change the result of the window.
  Experiment plain = experiment;
  plain.measure = "{warmup: 100, window: 16007}";
  const Json same = run_of(plain);
  CHECK(result["checksum"] == same["checksum"]);
  CHECK(result["latency_cycles"] == same["latency_cycles"]);
  CHECK(result["backlog"] == same["backlog"]);
  experiment.more = "run: {threads: 3}";
  CHECK(run_of(experiment, 3)["latency_cycles"] == same["latency_cycles"]);
}

TEST_CASE("figures of classes are those of the whole window, however it came to its length",
          "[program]") {
  Experiment experiment;
  experiment.workload =
      "{kind: traffic, classes: [{name: a, load: 0.1, packet_length: 3}, "
      "{name: b, load: 0.05, packet_length: 1}]}";
  experiment.measure = "{warmup: 100, window: 16007, precision: 0.0001}";
  const Json result = run_of(experiment, 3);
  CHECK(result["window_cycles"] == 16007);
  experiment.measure = "{warmup: 100, window: 16007}";
  const Json plain = run_of(experiment);
  REQUIRE(plain["classes"].size() == 2);
  CHECK(result["classes"] == plain["classes"]);
}

TEST_CASE("no interval is stated where few packets of a rare, long length are expected",
          "[program]") {
  Experiment experiment;
  experiment.measure = "{warmup: 1000, window: 10000}";
  const auto knows = [&](const char* weights) {
    experiment.workload =
        std::string("{kind: traffic, load: 0.2, packet_length: [1, 300], packet_weights: ") +
        weights + "}";
    return run_of(experiment)["latency_cycles"].contains("mean_half_width_95");
  };
  CHECK_FALSE(knows("[99999, 1]"));
  CHECK(knows("[1, 0]"));
  // A length that hardly changes the waits may be rare.
  experiment.workload =
      "{kind: traffic, load: 0.2, packet_length: [4, 5], packet_weights: [99999, 1]}";
  CHECK(run_of(experiment)["latency_cycles"].contains("mean_half_width_95"));
}

TEST_CASE("a drain shorter than the packets take is named beside the verdict", "[program]") {
  Experiment experiment;
  experiment.workload = "{kind: traffic, load: 0.2, packet_length: 3}";
  experiment.measure = "{warmup: 500, window: 20000, drain_limit: 0}";
  const Json result = run_of(experiment, 3);
  CHECK(result["reason"].get<std::string>().find("and the backlog did not grow: set "
                                                 "measure.drain_limit to ") != std::string::npos);
}

TEST_CASE("a class is not known more precisely than the mean that ended the run", "[program]") {
  Experiment experiment;
  experiment.workload = "{kind: traffic, classes: [{name: a, load: 0.1, packet_length: 3}]}";
  experiment.measure = "{warmup: 100, window: 64000, precision: 0.2}";
  const Json result = run_of(experiment);
  CHECK(result["window_cycles"] < 64000);
  const Json& one = result["classes"][0]["latency_cycles"];
  CHECK(one["mean"] == result["latency_cycles"]["mean"]);
  CHECK(one["mean_half_width_95"] == result["latency_cycles"]["mean_half_width_95"]);
  CHECK(one["mean_half_width_95"].get<double>() >= 0.2 * one["mean"].get<double>());
}

TEST_CASE(
    "a saturated run of multicasts does not say since when, as they eject more than they "
    "create",
    "[program]") {
  Experiment experiment;
  experiment.topology = "{kind: clos, ports: [4], middle_switches: [13], switches: 4}";
  experiment.routing = "{kind: central_control, strategy: S1, pass_limit: theorem3}";
  experiment.workload = "{kind: clos_requests, fan_out: 4, load: 0.035, packet_length: 5}";
  experiment.measure = "{warmup: 2000, window: 50000}";
  experiment.more =
      "router: {kind: wormhole, virtual_channels: 1, buffer_depth: 4, copies: asynchronous}\n"
      "seed: 2";
  const Json result = run_of(experiment, 3);
  CHECK(result["status"] == "saturated");
  CHECK(result["backlog"].contains("growth"));
  CHECK_FALSE(result["backlog"].contains("collapse"));
}

TEST_CASE("the relaxation time is at least that of a queue at this share of the capacity",
          "[program]") {
  Experiment slow;
  slow.topology = "{kind: ring, nodes: 8}";
  slow.workload = "{kind: traffic, pattern: neighbour, packet_length: 4, load: 0.4}";
  slow.measure = "{warmup: 100, window: 2000}";
  slow.more = "link: {cycles_per_flit: 2}\nrouter: {buffer_depth: 16}";
  // A packet holds a channel for 8 cycles, and 0.4 is 0.8 of what channels carry.
  CHECK(run_of(slow)["latency_cycles"]["relaxation_cycles"].get<double>() ==
        Approx(0.8 * 8 / (0.2 * 0.2)));
}

TEST_CASE("a measurement to a precision begins with 1024 to 2047 cycles", "[program]") {
  for (const char* window : {"4096", "3000"}) {
    const Json result =
        run_of(with_measure("{warmup: 100, precision: 0.5, window: " + std::string(window) + "}"));
    INFO(window);
    CHECK(result["cycles"].get<std::uint64_t>() > 100 + 1024);
    CHECK(result["cycles"].get<std::uint64_t>() < 100 + 1600);
  }
}
