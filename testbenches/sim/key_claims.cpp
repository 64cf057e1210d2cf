// SPDX-License-Identifier: Apache-2.0
// What the keys show themselves in that no parameter of a network stands for.
#include "key_claims.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "support/test_catch.h"
#include "traffic/netrace_writer.h"

namespace flitcast::program {
namespace {

std::uint64_t number(const Observed& seen, const char* figure) {
  return seen.result.at(figure).get<std::uint64_t>();
}

template <class Condition>
std::uint64_t packets_where(const Observed& seen, Condition condition) {
  return static_cast<std::uint64_t>(std::count_if(seen.log.begin(), seen.log.end(), condition));
}

std::uint64_t created_in(const Observed& seen, std::uint64_t begin, std::uint64_t end) {
  return packets_where(seen, [=](const LoggedPacket& packet) {
    return packet.created >= begin && packet.created < end;
  });
}

double share_to(const Observed& seen, std::uint32_t node) {
  const std::uint64_t hot =
      packets_where(seen, [=](const LoggedPacket& packet) { return packet.destination == node; });
  return static_cast<double>(hot) / static_cast<double>(seen.log.size());
}

/// Of the packets, how many follow their predecessor at the same node in the very next cycle.
double share_in_a_row(const Observed& seen) {
  std::set<std::pair<std::uint32_t, std::uint64_t>> created;
  for (const LoggedPacket& packet : seen.log) created.insert({packet.source, packet.created});
  std::size_t followed = 0;
  for (const auto& [node, cycle] : created) followed += created.count({node, cycle + 1});
  return static_cast<double>(followed) / static_cast<double>(created.size());
}

Experiment traffic(const std::string& keys, const std::string& measure) {
  Experiment experiment = with_workload("{kind: traffic, " + keys + "}");
  experiment.measure = measure;
  return experiment;
}

// Measuring.

void warmup_of_150(const Observed& before, const Observed& after) {
  CHECK(before.result["latency_cycles"]["count"] == created_in(before, 0, 500));
  CHECK(after.result["latency_cycles"]["count"] == created_in(after, 150, 650));
}

void window_of_70(const Observed& before, const Observed& after) {
  CHECK(before.result["latency_cycles"]["count"] == created_in(before, 0, 500));
  CHECK(number(after, "window_cycles") == 70);
  CHECK(after.result["latency_cycles"]["count"] == created_in(after, 0, 70));
}

void drain_of_100(const Observed& before, const Observed& after) {
  CHECK(number(before, "cycles") == 300);
  CHECK(number(after, "cycles") == 400);
}

void looks_every_70_cycles(const Observed& before, const Observed& after) {
  CHECK(before.result["status"] == "deadlock");
  CHECK(number(before, "cycles") % 1000 == 0);
  CHECK(after.result["status"] == "deadlock");
  CHECK(number(after, "cycles") < number(before, "cycles"));
  CHECK(number(after, "cycles") % 70 == 0);
}

void never_looks(const Observed&, const Observed& after) {
  CHECK(after.result["status"] == "saturated");
  CHECK_FALSE(after.result.contains("deadlock"));
}

std::vector<KeyClaim> measure_claims() {
  const Experiment calm = traffic("load: 0.1", "{warmup: 0, window: 500}");
  const Experiment flood = traffic("load: 4", "{warmup: 100, window: 200, drain_limit: 0}");
  Experiment circle = traffic("load: 0.5, packet_length: 16",
                              "{warmup: 100, window: 9900, drain_limit: 0, watchdog: 1000}");
  circle.topology = "{kind: ring, nodes: 4}";
  circle.routing = "{kind: dimension_order, vc_classes: none, tie: plus}";
  circle.more = "router: {virtual_channels: 1, buffer_depth: 4}";
  return {
      {"measure.warmup", calm, {"measure.warmup=150"}, warmup_of_150},
      {"measure.window", calm, {"measure.window=70"}, window_of_70},
      {"measure.drain_limit", flood, {"measure.drain_limit=100"}, drain_of_100},
      {"measure.watchdog", circle, {"measure.watchdog=70"}, looks_every_70_cycles},
      {"measure.watchdog", circle, {"measure.watchdog=0"}, never_looks},
  };
}

// Telling and running.

void is_called_other(const Observed& before, const Observed& after) {
  CHECK(before.result["name"] == "x");
  CHECK(after.result["name"] == "other");
  CHECK(after.summary.rfind("other: ", 0) == 0);
}

// In time the two make no difference: a flit leaves the router after their sum.
void crosses_in_three_cycles(const Observed&, const Observed& after) {
  CHECK(after.params.router.pipeline.switch_allocation == 1);
  CHECK(after.params.router.pipeline.traversal == 3);
}

void has_three_threads(const Observed& before, const Observed& after) {
  CHECK(before.params.threads == 1);
  CHECK(after.params.threads == 3);
  CHECK(before.result["checksum"] == after.result["checksum"]);
}

void is_built_of_modules_with_pins(const Observed& before, const Observed& after) {
  CHECK(before.realisation == "native");
  CHECK(after.realisation == "pins");
  CHECK(before.result == after.result);
}

bool shows(const Observed& seen, const std::string& text) {
  return seen.waveform.find(text) != std::string::npos;
}

void shows_link_3(const Observed& before, const Observed& after) {
  CHECK_FALSE(shows(before, "$scope module link_3 "));
  CHECK(shows(before, "$scope module router_5 "));
  CHECK(shows(after, "$scope module link_3 "));
  CHECK_FALSE(shows(after, "$scope module router_5 "));
  CHECK(before.result == after.result);
}

void begins_in_cycle_50(const Observed& before, const Observed& after) {
  CHECK(shows(before, "at time 0 sec"));
  CHECK(shows(after, "= 50000 timescale units"));
}

void ends_in_cycle_60(const Observed& before, const Observed& after) {
  CHECK(shows(before, "\n#199000\n"));
  CHECK(shows(after, "\n#59000\n"));
  CHECK_FALSE(shows(after, "\n#60500\n"));
}

const std::string kTraced =
    "run: {realisation: pins}\ntrace: {signals: [router_5, node_2], to: 200}";

// Random traffic.

void goes_to_1_and_3(const Observed& before, const Observed& after) {
  CHECK(share_to(before, 5) == 1.0);
  CHECK(share_to(after, 1) + share_to(after, 3) == Approx(1.0));
  CHECK(share_to(after, 1) == Approx(0.5).margin(0.05));
}

void three_of_four_are_hot(const Observed& before, const Observed& after) {
  CHECK(share_to(before, 5) == 1.0);
  CHECK(share_to(after, 5) == Approx(0.75 + 0.25 / 16).margin(0.05));
}

// A packet in every cycle of a burst: all but the last of 100, or of 10, are followed.
void bursts_of_10(const Observed& before, const Observed& after) {
  CHECK(share_in_a_row(before) == Approx(1 - 1.0 / 100).margin(0.005));
  CHECK(share_in_a_row(after) == Approx(1 - 1.0 / 10).margin(0.02));
}

// A coin in every cycle of a burst of 100: half of those but the last are followed.
void a_packet_in_half_of_the_cycles(const Observed& before, const Observed& after) {
  CHECK(share_in_a_row(before) == Approx(1 - 1.0 / 100).margin(0.005));
  CHECK(share_in_a_row(after) == Approx(0.5 * (1 - 1.0 / 100)).margin(0.03));
}

std::vector<KeyClaim> traffic_claims() {
  const Experiment hot =
      traffic("pattern: hot_spot, hot_spots: [5], hot_fraction: 1, packet_length: 1, load: 0.05",
              "{warmup: 0, window: 2000}");
  const Experiment bursts =
      traffic("injection: on_off, load: 0.2, peak_load: 1, burst_length: 100, packet_length: 1",
              "{warmup: 0, window: 5000}");
  return {
      {"workload.hot_spots", hot, {"workload.hot_spots=[3, 1]"}, goes_to_1_and_3},
      {"workload.hot_fraction", hot, {"workload.hot_fraction=0.75"}, three_of_four_are_hot},
      {"workload.burst_length", bursts, {"workload.burst_length=10"}, bursts_of_10},
      {"workload.peak_load", bursts, {"workload.peak_load=0.5"}, a_packet_in_half_of_the_cycles},
  };
}

// Transactions. Alone a packet of 5 flits from node 0 to node 3 takes 26 cycles and a response of
// one flit 22, each in the cycle after it was sent.

void takes_both_ways(const Observed& before, const Observed& after) {
  REQUIRE(before.log.size() == 2);
  CHECK(before.log[0].arrived == 26);
  CHECK_FALSE(before.result["config"]["workload"].contains("interface"));
  REQUIRE(after.log.size() == 2);
  CHECK(after.log[0].arrived == 27 + 23);
  CHECK(after.result["config"]["workload"]["interface"] == "tlm");
}

// The second request follows the first, or its response.
void one_after_the_other(const Observed& before, const Observed& after) {
  REQUIRE(before.log.size() == 2);
  CHECK(before.log[1].arrived == 50 + 5);
  REQUIRE(after.log.size() == 2);
  CHECK(after.log[1].arrived == 50 + 50);
}

void has_responses(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("transactions"));
  CHECK(after.result["transactions"]["answered"] == after.result["packets"]["delivered"]);
  CHECK(after.result["capacity"]["flits_per_node_cycle"].get<double>() ==
        Approx(before.result["capacity"]["flits_per_node_cycle"].get<double>() / (1 + 1.0 / 5)));
}

std::vector<KeyClaim> transaction_claims() {
  const Experiment two = with_workload("{kind: trace, format: csv, file: FOLDER/two.csv}");
  const Experiment sockets =
      with_workload("{kind: trace, format: csv, file: FOLDER/two.csv, interface: tlm}");
  return {
      {"workload.interface", two, {"workload.interface=tlm"}, takes_both_ways},
      {"workload.interface", Experiment{}, {"workload.interface=tlm"}, has_responses},
      {"workload.outstanding", sockets, {"workload.outstanding=1"}, one_after_the_other},
  };
}

// Files. The second packet of a trace waits for the first in CSV, and has the same cycle.

void three_routers_in_a_line(const Observed& before, const Observed& after) {
  CHECK(before.result["topology"]["routers"] == 2);
  CHECK(after.result["topology"]["routers"] == 3);
  CHECK(after.result["topology"]["channels"] == 4);
}

void length_2_and_4(const Observed& before, const Observed& after) {
  REQUIRE(before.log.size() == 2);
  CHECK(before.log[0].length == 9);
  REQUIRE(after.log.size() == 2);
  CHECK(after.log[0].length == 2);
  CHECK(after.log[1].length == 4);
}

void waits_for_nobody(const Observed& before, const Observed& after) {
  REQUIRE(before.log.size() == 2);
  CHECK(before.log[1].created == before.log[0].arrived + 1);
  REQUIRE(after.log.size() == 2);
  CHECK(after.log[0].created == 3);
  CHECK(after.log[1].created == 3);
}

// 72 bytes in flits of 16 or of 9 bytes.
void read_as_netrace(const Observed&, const Observed& after) {
  REQUIRE(after.log.size() == 1);
  CHECK(after.log[0].source == 6);
  CHECK(after.log[0].destination == 11);
  CHECK(after.log[0].length == 5);
}

void flits_of_9_bytes(const Observed& before, const Observed& after) {
  REQUIRE(before.log.size() == 1);
  CHECK(before.log[0].length == 5);
  REQUIRE(after.log.size() == 1);
  CHECK(after.log[0].length == 8);
}

std::vector<KeyClaim> file_claims() {
  Experiment graph = traffic("load: 0.1", "{warmup: 0, window: 100}");
  graph.topology = "{kind: custom, file: FOLDER/two.graph}";
  graph.routing = "{kind: shortest_path}";
  const Experiment csv = with_workload("{kind: trace, format: csv, file: FOLDER/a.csv}");
  const Experiment netrace = with_workload("{kind: trace, format: netrace, file: FOLDER/a.tra}");
  return {
      {"topology.file", graph, {"topology.file=FOLDER/three.graph"}, three_routers_in_a_line},
      {"workload.file", csv, {"workload.file=FOLDER/b.csv"}, length_2_and_4},
      {"workload.dependencies", csv, {"workload.dependencies=ignore"}, waits_for_nobody},
      {"workload.format",
       csv,
       {"workload.file=FOLDER/a.tra", "workload.format=netrace"},
       read_as_netrace},
      {"workload.flit_bytes", netrace, {"workload.flit_bytes=9"}, flits_of_9_bytes},
  };
}

// Permutations: figures of the paper, which the specification tells.

template <class Value>
auto tells(const char* figure, Value before_it, Value after_it) {
  return [=](const Observed& before, const Observed& after) {
    CHECK(before.result.at("permutation").at(figure) == before_it);
    CHECK(after.result.at("permutation").at(figure) == after_it);
  };
}

void goes_over_other_nodes(const Observed& before, const Observed& after) {
  CHECK(before.result["packets"]["created"] != after.result["packets"]["created"]);
}

void is_repeated_twice(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result["permutation"].contains("repeated"));
  CHECK(after.result["permutation"]["repeated"]["runs"] == 2);
}

// Packets of the second phase start where those of the first have ended; two of 4x4 that differ in
// the colours of their edges.
void turns_elsewhere(const Observed& before, const Observed& after) {
  const auto turns = [](const Observed& seen) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> ways;
    for (const LoggedPacket& packet : seen.log) ways.insert({packet.source, packet.destination});
    return ways;
  };
  CHECK(turns(before) != turns(after));
}

Experiment permuted(const std::string& topology, const std::string& routing,
                    const std::string& keys) {
  return {topology, routing, "{kind: permutation, " + keys + "}", "{watchdog: 2000}",
          "router: {kind: store_and_forward}"};
}

std::vector<KeyClaim> permutation_claims() {
  const Experiment cube =
      permuted("{kind: hypercube, dimension: 6}", "{kind: e_cube}", "permutation: transpose");
  const Experiment two_phase = permuted("{kind: hypercube, dimension: 6}", "{kind: e_cube}",
                                        "permutation: transpose, algorithm: two_phase");
  const Experiment three_phase = permuted("{kind: mesh, sizes: [8, 8]}", "{kind: dimension_order}",
                                          "permutation: complement, algorithm: three_phase");
  const Experiment off_line = permuted("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                                       "permutation: {random: 1}, algorithm: off_line");
  const Experiment butterfly = permuted("{kind: butterfly, arity: 2, stages: 5}",
                                        "{kind: destination_tag}", "permutation: bit_reverse");
  return {
      {"workload.permutation",
       cube,
       {"workload.permutation=complement"},
       tells("congestion", 4, 1)},
      {"workload.algorithm",
       cube,
       {"workload.algorithm=two_phase"},
       [](const Observed& before, const Observed& after) {
         CHECK(before.result["permutation"]["phase_steps"].size() == 1);
         CHECK(after.result["permutation"]["phase_steps"].size() == 2);
       }},
      {"workload.discipline", cube, {"workload.discipline=farthest"}, tells("steps", 7, 6)},
      {"workload.length", cube, {"workload.length=3"}, tells("step_cycles", 6, 8)},
      {"workload.runs", cube, {"workload.runs=2"}, is_repeated_twice},
      {"workload.ends", butterfly, {"workload.ends=routers"}, tells("packets", 32, 16)},
      {"workload.intermediate_seed",
       two_phase,
       {"workload.intermediate_seed=2"},
       goes_over_other_nodes},
      {"workload.intermediate_seed",
       three_phase,
       {"workload.intermediate_seed=2"},
       goes_over_other_nodes},
      {"workload.intermediates",
       two_phase,
       {"workload.intermediates=permutation"},
       goes_over_other_nodes},
      {"workload.colouring", off_line, {"workload.colouring=alternating_paths"}, turns_elsewhere},
  };
}

}  // namespace

std::vector<KeyClaim> key_claims() {
  std::vector<KeyClaim> claims{
      {"name", Experiment{}, {"name=other"}, is_called_other},
      {"router.pipeline.traversal",
       Experiment{},
       {"router.pipeline.traversal=3"},
       crosses_in_three_cycles},
      {"run.threads", Experiment{}, {"run.threads=3"}, has_three_threads},
      {"run.realisation", Experiment{}, {"run.realisation=pins"}, is_built_of_modules_with_pins},
      {"trace.signals", with(kTraced), {"trace.signals=[link_3]"}, shows_link_3},
      {"trace.from", with(kTraced), {"trace.from=50"}, begins_in_cycle_50},
      {"trace.to", with(kTraced), {"trace.to=60"}, ends_in_cycle_60},
  };
  for (const auto& more : {measure_claims(), traffic_claims(), transaction_claims(), file_claims(),
                           permutation_claims()}) {
    claims.insert(claims.end(), more.begin(), more.end());
  }
  return claims;
}

void write_files(const Folder& folder) {
  folder.write("two.graph", "router a\nrouter b\nterminal s a\nterminal t b\nlink a b\n");
  folder.write("three.graph",
               "router a\nrouter b\nrouter c\nterminal s a\nterminal t c\nlink a b\nlink b c\n");
  folder.write("a.csv", "cycle,src,dst,flits,id,deps\n3,0,15,9,1,\n3,1,2,1,2,1\n");
  folder.write("two.csv", "cycle,src,dst,flits\n0,0,3,5\n0,0,3,5\n");
  folder.write("b.csv", "cycle,src,dst,flits\n0,0,1,2\n50,2,3,4\n");
  folder.write("a.tra", netrace_bytes({{5, 1, 2, 6, 11}}));
}

}  // namespace flitcast::program
