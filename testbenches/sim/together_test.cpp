// SPDX-License-Identifier: Apache-2.0
// Several workloads at once on one network.
#include <array>

#include "collective.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

const std::string kBroadcast = "kind: collective, operation: broadcast, algorithm: binomial";
const std::string kTrace = "kind: trace, format: csv, file: t.csv";
const std::string kBatch = "kind: closed_loop, batch: 20, reply_length: 3, service: 4";
const std::string kPermutation = "kind: permutation, permutation: {random: 3}, length: 4";
const std::string kNoise = "kind: traffic, load: 0.1, packet_length: 1";

Json result_of_workload(const std::string& workload, const Arguments& more = {}) {
  const Folder folder;
  folder.write(
      "t.csv",
      "cycle,src,dst,flits,id,deps\n0,0,15,9,1,\n5,15,3,4,2,1\n40,7,1,3,3,\n60,3,7,5,4,2\n");
  Experiment experiment;
  experiment.workload = workload;
  experiment.measure = "{warmup: 100, window: 2000, watchdog: 1000}";
  folder.write("x.yaml", experiment.text());
  return result_of(folder.path(), "x.yaml", more);
}

std::string together(const std::string& list) {
  return "{kind: together, workloads: [" + list + "]}";
}

std::string part(const std::string& name, std::uint64_t start, const std::string& keys) {
  return "{name: " + name + ", start: " + std::to_string(start) + ", " + keys + "}";
}

std::uint64_t number(const Json& result, const char* key) {
  return result.at(key).get<std::uint64_t>();
}

}  // namespace

TEST_CASE(
    "a workload among several that is alone does what it does without them, from its start on",
    "[program]") {
  for (const std::string& one : {kBroadcast, kTrace, kBatch, kPermutation}) {
    INFO(one);
    const Json alone = result_of_workload("{" + one + "}");
    CHECK(alone.at("completion_cycle") == alone.at("window_cycles"));
    const Json now = result_of_workload(together(part("a", 0, one)));
    CHECK(now.at("checksum") == alone.at("checksum"));
    for (const std::uint64_t start : {0, 700}) {
      const Json result = result_of_workload(together(part("a", start, one)));
      const Json& own = result.at("workloads")[0];
      CHECK(number(own, "end") == number(alone, "completion_cycle") + start);
      CHECK(result.at("completion_cycle") == own.at("end"));
      CHECK(result.at("window_cycles") == own.at("end"));
      CHECK(result.at("latency_cycles").at("mean") == alone.at("latency_cycles").at("mean"));
      for (const char* figures : {"collective", "permutation", "critical_path", "round_trip"}) {
        CHECK(own.contains(figures) == alone.contains(figures));
        if (own.contains(figures)) CHECK(own.at(figures) == alone.at(figures));
      }
    }
  }
}

TEST_CASE("traffic goes on while nodes still compute after the last packet of a workload",
          "[program]") {
  const Json result = result_of_workload(together(
      part("noise", 0, kNoise) + ", " +
      part("sum", 0,
           "kind: collective, operation: reduce, algorithm: binomial, length: 8, data: {operator: "
           "add, elements: 4, combine_cycles: 100}")));
  const std::uint64_t end = number(result.at("workloads")[1], "end");
  CHECK(end > 2 * 3200);  // Node 0 adds vectors of 8 flits, 32 elements, one after the other.
  CHECK(number(result, "window_cycles") >= end);
  CHECK(number(result, "cycles") >= end);
}

TEST_CASE(
    "workloads with an end run to the last of these ends, whatever traffic goes on beside them",
    "[program]") {
  const std::string all = part("noise", 0, kNoise) + ", " + part("step", 300, kBroadcast) + ", " +
                          part("program", 900, kTrace);
  const Json result = result_of_workload(together(all));
  CHECK(result.at("status") == "ok");
  const Json& parts = result.at("workloads");
  CHECK_FALSE(parts[0].contains("end"));
  CHECK(result.at("completion_cycle") == parts[2].at("end"));
  CHECK(number(result, "cycles") >= number(parts[2], "end"));
  CHECK(number(result, "cycles") < number(parts[2], "end") + 64);
  CHECK(result.at("classes")[1].at("packets").at("delivered") == 15);
  CHECK(result.at("classes")[2].at("packets").at("delivered") == 4);
  // 16 nodes send 0.1 flits per cycle in packets of a flit.
  const double created = result.at("classes")[0].at("packets").at("created").get<double>();
  CHECK(created / (1.6 * result.at("cycles").get<double>()) > 0.9);
  CHECK(created / (1.6 * result.at("cycles").get<double>()) < 1.1);
  const Json threads = result_of_workload(together(all), {"--set", "run.threads=3"});
  CHECK(threads.at("checksum") == result.at("checksum"));
  const Json pins = result_of_workload(together(all), {"--set", "run.implementation=pins"});
  CHECK(pins.at("checksum") == result.at("checksum"));
}

TEST_CASE("background traffic delays a collective, and less if the collective goes first",
          "[program]") {
  const auto cycles = [](const std::string& traffic, const std::string& more) {
    const Json result = result_of_workload(
        together(part("noise", 0, "kind: traffic, packet_length: 16, " + traffic) + ", " +
                 part("step", 500, kBroadcast + ", length: 64" + more)),
        {"--set", "router.arbitration=priority"});
    return number(result.at("workloads")[1], "end") - 500;
  };
  const std::uint64_t quiet = cycles("load: 0", "");
  const std::uint64_t busy = cycles("load: 0.5", "");
  const std::uint64_t first = cycles("load: 0.5", ", priority: 3");
  CHECK(busy > quiet + 20);
  CHECK(first < busy);
  CHECK(first >= quiet);
}

TEST_CASE("traffic that falls behind beside a collective is noted, and other traffic is not",
          "[program]") {
  const auto notes = [](const std::string& load) {
    return result_of_workload(together(part("noise", 0, "kind: traffic, load: " + load) + ", " +
                                       part("step", 0, kBroadcast + ", length: 2000")))
        .value("notes", Json::array())
        .dump();
  };
  CHECK(notes("1").find("class noise falls behind") != std::string::npos);
  CHECK(notes("0.2").find("falls behind") == std::string::npos);
}

TEST_CASE("a workload that the run ends before is noted, and one that begins is not", "[program]") {
  const auto notes = [](std::uint64_t start) {
    return result_of_workload(together(part("late", start, kNoise) + ", " +
                                       part("step", 0, kBroadcast + ", length: 200")))
        .value("notes", Json::array())
        .dump();
  };
  CHECK(says(notes(100'000), "class late has sent nothing: the run ended after "));
  CHECK_FALSE(says(notes(0), "has sent nothing"));
}

TEST_CASE("loads of several workloads add up, and so does what bounds them", "[program]") {
  const Json sum = result_of_workload(together(part("a", 0, "kind: traffic, load: 0.06") + ", " +
                                               part("b", 20, "kind: traffic, load: 0.14")));
  const Json one = result_of_workload("{kind: traffic, load: 0.2}");
  const auto& capacity = sum.at("capacity");
  CHECK(capacity.at("flits_per_node_cycle").get<double>() ==
        Approx(one.at("capacity").at("flits_per_node_cycle").get<double>()));
  const auto offered = [](const Json& result) {
    return result.at("offered_flits_per_node_cycle").get<double>();
  };
  CHECK(offered(sum) == Approx(0.2).epsilon(0.05));
  CHECK(offered(sum.at("classes")[0]) == Approx(0.06).epsilon(0.1));
  CHECK(offered(sum.at("classes")[1]) == Approx(0.14).epsilon(0.1));
  // Equal workloads draw from streams of their own.
  const std::string twice = "kind: traffic, load: 0.1";
  const Json equal = result_of_workload(together(part("a", 0, twice) + ", " + part("b", 0, twice)));
  CHECK(equal.at("classes")[0].at("latency_cycles") != equal.at("classes")[1].at("latency_cycles"));
}

TEST_CASE("round trips without replies are the latencies of their packets, alone or among others",
          "[program]") {
  const std::string loop = "kind: closed_loop, outstanding: 8, packet_length: 5";
  const auto check = [](const Json& trips, const Json& latencies) {
    CHECK(trips.at("requests") == latencies.at("count"));
    CHECK(trips.at("mean").get<double>() == Approx(latencies.at("mean").get<double>()));
    CHECK(trips.at("max") == latencies.at("max"));
    CHECK(trips.at("unanswered") == 0);
  };
  // A short window, of which many requests are in flight at the end.
  const Arguments window{"--set", "measure.window=100"};
  const Json alone = result_of_workload("{" + loop + "}", window);
  check(alone.at("round_trip"), alone.at("latency_cycles"));
  const Json both = result_of_workload(
      together(part("noise", 0, kNoise) + ", " + part("loop", 60, loop)), window);
  check(both.at("workloads")[1].at("round_trip"), both.at("classes")[1].at("latency_cycles"));
}

TEST_CASE("the drain waits for the replies to all requests of the window", "[program]") {
  const auto trips = [](const Arguments& more) {
    return result_of_workload("{kind: closed_loop, outstanding: 2, reply_length: 3, service: 900}",
                              more)
        .at("round_trip");
  };
  const Json all = trips({"--set", "measure.window=1000"});
  CHECK(all.at("unanswered") == 0);
  CHECK(all.at("requests") == 2 * 16);  // The next follows after more than 900 cycles.
  CHECK(all.at("mean").get<double>() > 900);
  const Json cut = trips({"--set", "measure.window=1000", "--set", "measure.drain_limit=10"});
  CHECK(cut.at("unanswered").get<int>() > 0);
}

TEST_CASE("a collective among several workloads has the bandwidths that it has alone",
          "[program]") {
  const Arguments units{"--set", "clock=2 GHz", "--set", "flit_width=8 B"};
  const std::string sum = "kind: collective, operation: all_reduce, algorithm: ring, length: 64";
  const Json alone = result_of_workload("{" + sum + "}", units);
  const Json part_of_all = result_of_workload(together(part("a", 700, sum)), units);
  for (const char* figure : {"bytes", "algorithm_gb_per_s", "bus_gb_per_s"}) {
    CHECK(part_of_all.at("workloads")[0].at("physical").at(figure) ==
          alone.at("physical").at(figure));
  }
}

TEST_CASE("a workload without an end and a run that is deadlocked have no cycle of completion",
          "[program]") {
  CHECK_FALSE(result_of_workload("{kind: closed_loop}").contains("completion_cycle"));
  const Folder folder;
  folder.write("all.csv",
               "cycle,src,dst,flits\n0,0,1,2\n50,0,2,16\n50,1,3,16\n50,2,0,16\n50,3,1,16\n");
  Experiment cycle;
  cycle.topology = "{kind: ring, nodes: 4}";
  cycle.routing = "{kind: dimension_order, vc_classes: none, tie: plus}";
  cycle.workload = "{kind: trace, format: csv, file: all.csv}";
  cycle.measure = "{watchdog: 1000}";
  cycle.more = "router: {virtual_channels: 1, buffer_depth: 4}";
  folder.write("x.yaml", cycle.text());
  CHECK_FALSE(result_of(folder.path(), "x.yaml", {"--unsafe"}, 4).contains("completion_cycle"));
}

TEST_CASE("several workloads are not complete while one of those that end is not", "[program]") {
  const Folder folder;
  folder.write("t.csv", "cycle,src,dst,flits\n0,0,1,2\n");
  folder.write("all.csv", "cycle,src,dst,flits\n0,0,2,16\n0,1,3,16\n0,2,0,16\n0,3,1,16\n");
  Experiment cycle;
  cycle.topology = "{kind: ring, nodes: 4}";
  cycle.routing = "{kind: dimension_order, vc_classes: none, tie: plus}";
  cycle.workload = together(part("short", 0, kTrace) + ", " +
                            part("stuck", 100, "kind: trace, format: csv, file: all.csv"));
  cycle.measure = "{watchdog: 1000}";
  cycle.more = "router: {virtual_channels: 1, buffer_depth: 4}";
  folder.write("x.yaml", cycle.text());
  const Json result = result_of(folder.path(), "x.yaml", {"--unsafe"}, 4);
  CHECK(result.at("status") == "deadlock");
  CHECK(result.at("workloads")[0].contains("end"));
  CHECK_FALSE(result.at("workloads")[1].contains("end"));
  CHECK_FALSE(result.contains("completion_cycle"));
}

TEST_CASE("workloads of short and of long packets run beside each other, in either order",
          "[program]") {
  const std::string few = "kind: traffic, load: 0.05, packet_length: ";
  for (const auto& [first, second] : {std::pair{"1", "16"}, {"16", "1"}}) {
    const Json result =
        result_of_workload(together(part("a", 0, few + first) + ", " + part("b", 0, few + second)));
    CHECK(result.at("status") == "ok");
    for (const Json& one : result.at("classes")) CHECK(one.at("packets").at("delivered") > 0);
  }
}

TEST_CASE("traffic may begin with the window, and not after it", "[program]") {
  const Folder folder;
  const auto check_from = [&](std::uint64_t start) {
    Experiment experiment;
    experiment.workload = together(part("a", start, kNoise));
    folder.write("x.yaml", experiment.text());
    return run(folder.path(), {"check", "x.yaml"}).exit_code;
  };
  CHECK(check_from(100) == 0);  // The warm-up has 100 cycles.
  CHECK(check_from(101) == 2);
}

TEST_CASE("a window is too short for a mean if it is for the bursts of any of several workloads",
          "[program]") {
  const auto latency = [](const std::string& first, const std::string& second) {
    Experiment experiment;
    experiment.workload = together(part("a", 0, first) + ", " + part("b", 0, second));
    experiment.measure = "{warmup: 1000, window: 4000}";
    const Folder folder;
    folder.write("x.yaml", experiment.text());
    return result_of(folder.path(), "x.yaml").at("latency_cycles");
  };
  const std::string smooth = "kind: traffic, load: 0.05";
  const std::string bursts = smooth + ", injection: on_off, burst_length: 3000, peak_load: 0.1";
  CHECK(latency(smooth, smooth).contains("mean_half_width_95"));
  CHECK(latency(bursts, smooth).value("half_width_unknown", "") == "short window");
  CHECK(latency(smooth, bursts).value("half_width_unknown", "") == "short window");
}

TEST_CASE("packets of all of several workloads count for what is long and what is rare",
          "[program]") {
  // One packet of 400 flits comes in 5000 cycles, among short ones of another workload.
  const std::string both =
      together(part("often", 0, "kind: traffic, load: 0.2, packet_length: 1") + ", " +
               part("rare", 0, "kind: traffic, load: 0.005, packet_length: 400"));
  const Json classes = result_of_workload(
      "{kind: traffic, classes: [{name: often, load: 0.2, packet_length: 1}, {name: rare, load: "
      "0.005, packet_length: 400}]}");
  for (const Json& result : {result_of_workload(both), classes}) {
    CHECK(result.at("latency_cycles").at("relaxation_cycles").get<double>() >= 5000 * 0.999);
  }
  CHECK(result_of_workload("{kind: traffic, load: 0.2, packet_length: 1}")
            .at("latency_cycles")
            .at("relaxation_cycles")
            .get<double>() < 5000);
}

TEST_CASE("several workloads are refused with the place of each fault", "[program]") {
  const Folder folder;
  const auto said = [&](const std::string& list, const std::string& more = "") {
    Experiment experiment = with(more);
    experiment.workload = together(list);
    folder.write("x.yaml", experiment.text());
    return refusal(folder, {"check", "x.yaml"});
  };
  CHECK(says(said(""), "x.yaml:3:39: workload.workloads: has 0 workloads; write 1 to 32"));
  const std::string many = said(
      "{name: a, kind: traffic, classes: [{name: x, load: 0.1}]}, {name: a, kind: traffic, "
      "interface: tlm}, {name: c, kind: collective, operation: broadcast, algorithm: binomial, "
      "source: 16}");
  INFO(many);
  CHECK(says(many, "workload.workloads[1].name: workload.workloads[0]"));
  CHECK(says(many, "workload.workloads[1].interface: transactions carry one workload alone"));
  CHECK(says(many, "workload.workloads[2].source: there is no node 16"));
  CHECK(says(said("{name: a, kind: traffic, classes: [{name: x, load: 0.1}]}"),
             "workload.workloads[0].classes: a workload beside others has one class of packets"));
  CHECK(says(said("{name: a, kind: clos_requests}"), "workload.workloads[0].kind: "));
  CHECK(says(said("{name: a, kind: together}"), "workload.workloads[0].kind: "));
  CHECK(says(said(part("a", 101, kNoise)),
             "workload.workloads[0].start: begins after the warm-up, in cycle 100"));
  CHECK(says(said(part("a", 0, kNoise) + ", " + part("b", 0, kBroadcast), "node: {startup: 30}"),
             "node.startup: contains the interfaces for some of these workloads"));
  CHECK(says(said("{name: a, kind: collective, operation: all_reduce, algorithm: reduction_tree, "
                  "forwarding: routers}"),
             "workload.workloads[0].kind: its packets are copied or combined by routers"));
  CHECK(says(said(part("a", 0, kPermutation), "router: {kind: store_and_forward}"),
             "workload.workloads[0].kind: routers that store packets order them"));
}
