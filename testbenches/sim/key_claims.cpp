// SPDX-License-Identifier: Apache-2.0
// Observable effects of the keys that are not parameters of a network.
#include "key_claims.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include "energy_tables.h"
#include "support/test_catch.h"
#include "traffic/chakra_writer.h"
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

/// Returns the share of packets whose successor at the same node is created in the very next cycle.
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

void looks_at_the_end(const Observed& before, const Observed& after) {
  CHECK(after.result["status"] == "deadlock");
  CHECK(number(before, "cycles") < number(after, "cycles"));
}

// The run ends after a fraction of the window and counts just the packets of that part.
void ends_when_it_knows(const Observed& before, const Observed& after) {
  const auto share = [](const Observed& seen) {
    const auto& latency = seen.result["latency_cycles"];
    return latency["mean_half_width_95"].get<double>() / latency["mean"].get<double>();
  };
  CHECK(number(before, "window_cycles") == 16000);
  const std::uint64_t window = number(after, "window_cycles");
  CHECK(window < 16000);
  CHECK(16000 % window == 0);
  CHECK(share(before) < share(after));
  CHECK(share(after) < 0.035);  // A few packets arrive afterwards.
  CHECK(after.result["latency_cycles"]["count"] == created_in(after, 200, 200 + window));
  CHECK(after.result["status"] == "ok");
}

std::vector<KeyClaim> measure_claims() {
  const Experiment calm = traffic("load: 0.1", "{warmup: 0, window: 500}");
  const Experiment flood = traffic("load: 4", "{warmup: 100, window: 200, drain_limit: 0}");
  Experiment cycle = traffic("load: 0.5, packet_length: 16",
                             "{warmup: 100, window: 9900, drain_limit: 0, watchdog: 1000}");
  cycle.topology = "{kind: ring, nodes: 4}";
  cycle.routing = "{kind: dimension_order, vc_classes: none, tie: plus}";
  cycle.more = "router: {virtual_channels: 1, buffer_depth: 4}";
  return {
      {"measure.warmup", calm, {"measure.warmup=150"}, warmup_of_150},
      {"measure.window", calm, {"measure.window=70"}, window_of_70},
      {"measure.precision",
       traffic("load: 0.2", "{warmup: 200, window: 16000}"),
       {"measure.precision=0.03"},
       ends_when_it_knows},
      {"measure.drain_limit", flood, {"measure.drain_limit=100"}, drain_of_100},
      {"measure.watchdog", cycle, {"measure.watchdog=70"}, looks_every_70_cycles},
      {"measure.watchdog", cycle, {"measure.watchdog=0"}, looks_at_the_end},
  };
}

// Reporting and running.

void halves_the_times(const Observed& before, const Observed& after) {
  const auto time = [](const Observed& seen) {
    return seen.result["physical"]["time_ns"].get<double>();
  };
  CHECK(before.result["checksum"] == after.result["checksum"]);
  CHECK(time(before) == static_cast<double>(before.simulated_cycles()));
  CHECK(time(after) == time(before) / 2);
}

void triples_the_rates(const Observed& before, const Observed& after) {
  const auto rate = [](const Observed& seen) {
    return seen.result["physical"]["accepted_gb_per_s"].get<double>();
  };
  CHECK(before.result["checksum"] == after.result["checksum"]);
  CHECK(rate(after) / rate(before) == Approx(3));
}

void is_called_other(const Observed& before, const Observed& after) {
  CHECK(before.result["name"] == "x");
  CHECK(after.result["name"] == "other");
  CHECK(after.summary.rfind("other: ", 0) == 0);
}

// The two stages do not differ in time: a flit leaves the router after their sum.
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
  CHECK(before.implementation == "fast");
  CHECK(after.implementation == "pins");
  CHECK(before.result == after.result);
}

// On a mesh, messages of a round share channels.
const Experiment kSharing = {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                             "{kind: collective, operation: all_reduce, algorithm: rabenseifner, "
                             "length: 256}"};

double completion(const Observed& seen) { return seen.result.at("completion_cycle").get<double>(); }

void is_an_estimate(const Observed& before, const Observed& after) {
  CHECK(before.implementation == "fast");
  CHECK(after.implementation == "flow");
  CHECK(after.result["packets"]["delivered"] == before.result["packets"]["delivered"]);
  CHECK(completion(after) != completion(before));
  CHECK(completion(after) / completion(before) == Approx(1).margin(0.05));
}

void is_exact(const Observed& before, const Observed& after) {
  CHECK(after.implementation == "flow");
  CHECK(after.result["checksum"] == before.result["checksum"]);
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

void shows_router_6_alone(const Observed& before, const Observed& after) {
  CHECK(before.waveform.empty());
  CHECK(shows(after, "$scope module router_6 "));
  CHECK_FALSE(shows(after, "$scope module router_5 "));
  CHECK(before.result == after.result);
}

// The run has 600 cycles and a little more.
void has_spans_of_50(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("series"));
  CHECK(after.result["series"]["cycles"] == 50);
  const std::uint64_t whole_spans = after.simulated_cycles() / 50;
  CHECK(after.result["series"]["latency_cycles"].size() == whole_spans + 1);
  CHECK(after.result["series"]["last_cycles"] == after.simulated_cycles() - 50 * whole_spans);
  CHECK(before.result["checksum"] == after.result["checksum"]);
}

void takes_50_samples(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("buffers"));
  CHECK(after.result["buffers"]["samples"] == 50);
  CHECK_FALSE(after.result["buffers"]["vcs"].empty());
  CHECK(before.result["checksum"] == after.result["checksum"]);
}

void tells_fairness(const Observed& before, const Observed& after) {
  const auto told = [](const Observed& seen) {
    return seen.result["accepted_flits_per_node_cycle"].contains("fairness");
  };
  CHECK_FALSE(told(before));
  CHECK(told(after));
}

void tells_distances(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("distances"));
  CHECK(after.result["distances"].size() == 7);
}

const std::string kTraced =
    "run: {implementation: pins}\ntrace: {signals: [router_5, node_2], to: 200}";

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

// Every cycle of a burst has a packet, so all packets of 100, or of 10, but the last have a
// successor.
void bursts_of_10(const Observed& before, const Observed& after) {
  CHECK(share_in_a_row(before) == Approx(1 - 1.0 / 100).margin(0.005));
  CHECK(share_in_a_row(after) == Approx(1 - 1.0 / 10).margin(0.02));
}

// Each cycle of a burst of 100 has a packet with probability 1/2, so half of the packets but the
// last have a successor.
void a_packet_in_half_of_the_cycles(const Observed& before, const Observed& after) {
  CHECK(share_in_a_row(before) == Approx(1 - 1.0 / 100).margin(0.005));
  CHECK(share_in_a_row(after) == Approx(0.5 * (1 - 1.0 / 100)).margin(0.03));
}

double flits_per_cycle(const Observed& seen, std::uint32_t source, std::uint32_t destination) {
  double flits = 0;
  for (const LoggedPacket& packet : seen.log) {
    if (packet.source == source && packet.destination == destination) flits += packet.length;
  }
  return flits / static_cast<double>(seen.simulated_cycles());
}

// Flows of 0.4 from 0 to 15 and of 0.2 from 3 to 1; the others of the file are from 5 to 6.
// The tolerances are four standard deviations of the number of packets, or more.
void flows_of_the_matrix(const Observed& before, const Observed& after) {
  CHECK(flits_per_cycle(before, 0, 15) == Approx(0.4).epsilon(0.25));
  CHECK(flits_per_cycle(before, 3, 1) == Approx(0.2).epsilon(0.25));
  CHECK(before.result["offered_flits_per_node_cycle"].get<double>() ==
        Approx(0.6 / 16).epsilon(0.25));
  CHECK(flits_per_cycle(after, 5, 6) == Approx(0.3).epsilon(0.3));
  CHECK(flits_per_cycle(after, 0, 15) == 0);
}

void half_of_the_rates(const Observed& before, const Observed& after) {
  CHECK(flits_per_cycle(before, 0, 15) == Approx(0.4).epsilon(0.25));
  CHECK(flits_per_cycle(after, 0, 15) == Approx(0.2).epsilon(0.25));
  CHECK(flits_per_cycle(after, 3, 1) == Approx(0.1).epsilon(0.4));
}

// Node 0 sends to its neighbour in both dimensions, or to the last node.
void from_5_to_15(const Observed& before, const Observed& after) {
  CHECK(flits_per_cycle(before, 0, 5) == Approx(0.1).epsilon(0.4));
  CHECK(flits_per_cycle(before, 0, 15) == 0);
  CHECK(flits_per_cycle(after, 0, 15) == Approx(0.1).epsilon(0.4));
  CHECK(flits_per_cycle(after, 0, 5) == 0);
}

void hot_instead_of_uniform(const Observed& before, const Observed& after) {
  CHECK(share_to(before, 3) == Approx(1.0 / 16).margin(0.02));
  CHECK(share_to(after, 3) == Approx(1));
}

void three_quarters_hot(const Observed& before, const Observed& after) {
  CHECK(share_to(before, 3) == Approx(0.5 + 0.5 / 16).margin(0.03));
  CHECK(share_to(after, 3) == Approx(0.75 + 0.25 / 16).margin(0.03));
}

std::vector<KeyClaim> matrix_claims() {
  const std::string measure = "{warmup: 0, window: 5000}";
  const Experiment matrix = traffic("pattern: matrix, matrix: FOLDER/matrix.csv", measure);
  const Experiment own = traffic("pattern: permutation, permutation: neighbour", measure);
  const Experiment mix = traffic(
      "pattern: mix, mix: [{pattern: hot_spot, hot_spots: [3], hot_fraction: 1}, {}]", measure);
  return {
      {"workload.matrix", matrix, {"workload.matrix=FOLDER/other.csv"}, flows_of_the_matrix},
      {"workload.load", matrix, {"workload.load=0.01875"}, half_of_the_rates},
      {"workload.permutation",
       own,
       {"workload.permutation=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]"},
       from_5_to_15},
      {"workload.mix",
       traffic("pattern: mix, mix: [{pattern: uniform}]", measure),
       {"workload.mix=[{pattern: hot_spot, hot_spots: [3], hot_fraction: 1}]"},
       hot_instead_of_uniform},
      {"workload.mix[0].weight", mix, {"workload.mix[0].weight=3"}, three_quarters_hot},
  };
}

// A closed loop.

double mean_round_trip(const Observed& seen) {
  return seen.result.at("round_trip").at("mean").get<double>();
}

// Requests in flight, by Little's law: the next is created a cycle after the answer.
double outstanding_by_littles_law(const Observed& seen) {
  const double requests =
      seen.result.at("accepted_flits_per_node_cycle").at("mean").get<double>() / 5;
  return requests * (mean_round_trip(seen) + 1);
}

void one_and_four_outstanding(const Observed& before, const Observed& after) {
  CHECK(outstanding_by_littles_law(before) == Approx(1).epsilon(0.02));
  CHECK(outstanding_by_littles_law(after) == Approx(4).epsilon(0.02));
}

void batch_of_7(const Observed& before, const Observed& after) {
  CHECK(number(before, "cycles") > 5000);
  CHECK(after.log.size() == 16 * 7);
  CHECK(after.result["round_trip"]["requests"] == 16 * 7);
  CHECK(after.result["status"] == "ok");
}

void replies_of_3_flits(const Observed& before, const Observed& after) {
  const auto of_3 = [](const LoggedPacket& packet) { return packet.length == 3; };
  CHECK(packets_where(before, of_3) == 0);
  CHECK(2 * packets_where(after, of_3) == Approx(after.log.size()).epsilon(0.02));
  CHECK(mean_round_trip(after) > mean_round_trip(before) + 15);
}

void serves_for_30_cycles(const Observed& before, const Observed& after) {
  CHECK(mean_round_trip(after) ==
        Approx(mean_round_trip(before) + 30).margin(2));  // There is less contention.
}

void sends_otherwise(const Observed& before, const Observed& after) {
  CHECK(before.result["checksum"] != after.result["checksum"]);
  CHECK(after.log.size() > 1000);
}

std::vector<KeyClaim> closed_loop_claims() {
  const auto loop = [](const std::string& keys) {
    Experiment experiment = with_workload("{kind: closed_loop" + keys + "}");
    experiment.measure = "{warmup: 1000, window: 5000}";
    return experiment;
  };
  const Experiment hot = loop(", pattern: hot_spot");
  return {
      {"workload.outstanding", loop(""), {"workload.outstanding=4"}, one_and_four_outstanding},
      {"workload.batch", loop(""), {"workload.batch=7"}, batch_of_7},
      {"workload.reply_length", loop(""), {"workload.reply_length=3"}, replies_of_3_flits},
      {"workload.service",
       loop(", reply_length: 3"),
       {"workload.service=30"},
       serves_for_30_cycles},
      {"workload.pattern", loop(""), {"workload.pattern=transpose"}, sends_otherwise},
      {"workload.include_self", loop(""), {"workload.include_self=false"}, sends_otherwise},
      {"workload.hot_spots", hot, {"workload.hot_spots=[3]"}, sends_otherwise},
      {"workload.hot_fraction", hot, {"workload.hot_fraction=0.5"}, sends_otherwise},
      {"workload.permutation_seed",
       loop(", pattern: random_permutation"),
       {"workload.permutation_seed=2"},
       sends_otherwise},
      {"workload.permutation",
       loop(", pattern: permutation, permutation: shuffle"),
       {"workload.permutation=tornado"},
       sends_otherwise},
      {"workload.mix",
       loop(", pattern: mix, mix: [{}]"),
       {"workload.mix=[{pattern: tornado}]"},
       sends_otherwise},
      {"workload.packet_length", loop(""), {"workload.packet_length=2"}, sends_otherwise},
      {"workload.packet_weights",
       loop(", packet_length: [1, 5]"),
       {"workload.packet_weights=[3, 1]"},
       sends_otherwise},
  };
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

// The second request follows either the first request or its response.
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

// Files. In CSV the second packet of a trace depends on the first and has the same cycle.

void three_routers_in_a_line(const Observed& before, const Observed& after) {
  CHECK(before.result["topology"]["routers"] == 2);
  CHECK(after.result["topology"]["routers"] == 3);
  CHECK(after.result["topology"]["channels"] == 4);
}

void takes_the_detour(const Observed& before, const Observed& after) {
  CHECK(before.result["hops_mean"] == 2.0);
  CHECK(after.result["hops_mean"] == 4.0);
}

// Only packets that find no open output go round by the escape table.
void escapes_by_the_detour(const Observed& before, const Observed& after) {
  const double shortest = before.result["hops_mean"];
  CHECK(after.result["hops_mean"] > shortest);
  CHECK(after.result["hops_mean"] < shortest + 1);
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

// 72 bytes are sent in flits of 16 or of 9 bytes.
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

// The program: rank 0 computes for a microsecond and sends 150 bytes to rank 1.

void read_as_chakra(const Observed&, const Observed& after) {
  REQUIRE(after.log.size() == 1);
  CHECK(after.log[0].source == 0);
  CHECK(after.log[0].destination == 1);
  CHECK(after.log[0].created == 1000);
  CHECK(after.log[0].length == 1 + 10);
}

void has_flits_of_32_bytes(const Observed&, const Observed& after) {
  REQUIRE(after.log.size() == 1);
  CHECK(after.log[0].length == 1 + 5);
}

void has_packets_of_100_bytes(const Observed&, const Observed& after) {
  REQUIRE(after.log.size() == 2);
  CHECK(after.log[0].length == 1 + 7);
  CHECK(after.log[1].length == 1 + 4);
}

void computes_for_250_cycles(const Observed&, const Observed& after) {
  CHECK(after.log.at(0).created == 250);
}

std::function<void(const Observed&, const Observed&)> sends_in_cycle(std::uint64_t before,
                                                                     std::uint64_t after) {
  return [=](const Observed& one, const Observed& other) {
    CHECK(one.log.at(0).created == before);
    CHECK(other.log.at(0).created == after);
  };
}

void sends_up_to_500_cycles_later(const Observed& before, const Observed& after) {
  CHECK(before.log.at(0).created == 1000);
  CHECK(after.log.at(0).created > 1000);
  CHECK(after.log.at(0).created <= 1500);
}

// Three rounds of a ring of four ranks add up 16 bytes each, at 100 cycles a byte. Meanwhile the
// longest of their messages arrives.
void adds_up_for_4800_cycles(const Observed& before, const Observed& after) {
  const std::uint64_t more = after.log.back().arrived - before.log.back().arrived;
  CHECK(more <= 3 * 16 * 100);
  CHECK(more >= 3 * 16 * 100 - 3 * 50);
}

void goes_from_9_to_4(const Observed&, const Observed& after) {
  CHECK(after.log.at(0).source == 9);
  CHECK(after.log.at(0).destination == 4);
}

/// Four ranks run the collective, which takes `packets` packets, and `packets_then` by the other
/// algorithm.
KeyClaim collective_claim(const std::string& operation, std::size_t packets,
                          const std::string& algorithm, std::size_t packets_then) {
  return {"workload.collectives." + operation,
          with_workload("{kind: trace, format: chakra, file: FOLDER/" + operation + "}"),
          {"workload.collectives." + operation + "=" + algorithm},
          [=](const Observed& before, const Observed& after) {
            CHECK(before.log.size() == packets);
            CHECK(after.log.size() == packets_then);
          }};
}

/// A binomial tree of four ranks sends 3 messages; its longest message has `longest_bytes` bytes.
KeyClaim tree_claim(const std::string& operation, std::uint32_t longest_bytes) {
  return {"workload.collectives." + operation,
          with_workload("{kind: trace, format: chakra, flit_bytes: 16, file: FOLDER/" + operation +
                        "}"),
          {"workload.collectives." + operation + "=binomial"},
          [=](const Observed&, const Observed& after) {
            std::uint64_t longest = 0;
            for (const LoggedPacket& packet : after.log) {
              longest = std::max<std::uint64_t>(longest, packet.length);
            }
            CHECK(after.log.size() == 3);
            CHECK(longest == 1 + longest_bytes / 16);
          }};
}

// Two groups run a broadcast each; the first member of a group sends.
void starts_at_the_other(const Observed& before, const Observed& after) {
  const auto sent_by = [](const Observed& seen, std::uint32_t node) {
    return packets_where(seen, [=](const LoggedPacket& packet) { return packet.source == node; });
  };
  CHECK(sent_by(before, 0) == 1);
  CHECK(sent_by(before, 1) == 0);
  CHECK(sent_by(after, 0) == 0);
  CHECK(sent_by(after, 1) == 1);
  CHECK(sent_by(after, 2) == 1);
}

/// The numbers are those of the Chakra schema.
const std::vector<std::pair<const char*, std::int64_t>> kCollectives{
    {"all_reduce", 0}, {"reduce", 1},     {"all_gather", 2}, {"gather", 3},        {"scatter", 4},
    {"broadcast", 5},  {"all_to_all", 6}, {"barrier", 9},    {"reduce_scatter", 7}};

std::vector<KeyClaim> collective_claims() {
  const std::string two = "[{name: a, ranks: [0, 1]}, {name: b, ranks: [2, 3]}]";
  const std::string spare =
      "[{name: a, ranks: [0, 1]}, {name: b, ranks: [2, 3]}, {name: c, ranks: [1, 0]}]";
  const std::string groups = "{kind: trace, format: chakra, file: FOLDER/two_groups, groups: ";
  return {
      collective_claim("all_reduce", 2 * 4 * 3, "unicast_rounds", 4 * 2),
      collective_claim("all_gather", 4 * 3, "bruck", 4 * 2),
      collective_claim("broadcast", 3, "scatter_all_gather", 3 + 4 * 3),
      collective_claim("all_to_all", 4 * 3, "bruck", 4 * 2),
      collective_claim("barrier", 4 * 2, "binomial", 3 + 3),
      collective_claim("reduce_scatter", 4 * 3, "reduce_then_scatter", 3 + 3),
      tree_claim("reduce", 64),
      tree_claim("gather", 2 * 64),
      tree_claim("scatter", 2 * 16),
      {"workload.groups",
       with_workload(groups + two + "}"),
       {"workload.groups=[{name: a, ranks: [1, 0]}, {name: b, ranks: [2, 3]}]"},
       starts_at_the_other},
      {"workload.groups[0].name",
       with_workload(groups + spare + "}"),
       {"workload.groups[2].name=a", "workload.groups[0].name=d"},
       starts_at_the_other},
      {"workload.groups[0].ranks",
       with_workload(groups + two + "}"),
       {"workload.groups[0].ranks=[1, 0]"},
       starts_at_the_other},
  };
}

std::vector<KeyClaim> program_claims() {
  const auto of_file = [](const std::string& name) {
    return with_workload("{kind: trace, format: chakra, file: FOLDER/" + name + "}");
  };
  const Experiment chakra = of_file("one");
  const Experiment slow = with_workload(
      "{kind: trace, format: chakra, file: FOLDER/kernel, stragglers: [{ranks: [0], factor: "
      "1.5}]}");
  const Experiment csv = with_workload("{kind: trace, format: csv, file: FOLDER/a.csv}");
  return {
      {"workload.format",
       csv,
       {"workload.file=FOLDER/one", "workload.format=chakra"},
       read_as_chakra},
      {"workload.flit_bytes", chakra, {"workload.flit_bytes=32"}, has_flits_of_32_bytes},
      {"workload.mtu", chakra, {"workload.mtu=100"}, has_packets_of_100_bytes},
      {"workload.clock_mhz", chakra, {"workload.clock_mhz=250"}, computes_for_250_cycles},
      {"workload.nodes", chakra, {"workload.nodes=[9, 4]"}, goes_from_9_to_4},
      {"workload.compute_jitter",
       of_file("kernel"),
       {"workload.compute_jitter=0.5"},
       sends_up_to_500_cycles_later},
      {"workload.stragglers",
       of_file("kernel"),
       {"workload.stragglers=[{ranks: [0], factor: 1.25}]"},
       sends_in_cycle(1000, 1250)},
      {"workload.stragglers[0].ranks",
       slow,
       {"workload.stragglers[0].ranks=[1]"},
       sends_in_cycle(1500, 1000)},
      {"workload.stragglers[0].factor",
       slow,
       {"workload.stragglers[0].factor=3"},
       sends_in_cycle(1500, 3000)},
      {"workload.compute.peak",
       of_file("kernel"),
       {"workload.compute.peak=100"},
       sends_in_cycle(1000, 20'000)},
      {"workload.compute.memory",
       of_file("kernel"),
       {"workload.compute.peak=1000", "workload.compute.memory=100"},
       sends_in_cycle(1000, 30'000)},
      {"workload.combine",
       of_file("all_reduce"),
       {"workload.combine=0.01"},
       adds_up_for_4800_cycles},
      {"workload.streams.compute",
       of_file("kernels"),
       {"workload.streams.compute=2"},
       sends_in_cycle(2000, 1000)},
      {"workload.streams.cpu",
       of_file("cpu_nodes"),
       {"workload.streams.cpu=0"},
       sends_in_cycle(2000, 1000)},
  };
}

std::vector<KeyClaim> file_claims() {
  Experiment graph = traffic("load: 0.1", "{warmup: 0, window: 100}");
  graph.topology = "{kind: custom, file: FOLDER/two.graph}";
  graph.routing = "{kind: shortest_path}";
  const Experiment csv = with_workload("{kind: trace, format: csv, file: FOLDER/a.csv}");
  Experiment table = with_workload("{kind: trace, format: csv, file: FOLDER/one.csv}");
  table.topology = "{kind: mesh, sizes: [2, 2]}";
  table.routing = "{kind: table, file: FOLDER/direct_table.csv}";
  Experiment adaptive = traffic("load: 0.9, include_self: false", "{warmup: 0, window: 400}");
  adaptive.topology = table.topology;
  adaptive.routing = "{kind: shortest_path, tie: adaptive}";
  const Experiment netrace = with_workload("{kind: trace, format: netrace, file: FOLDER/a.tra}");
  return {
      {"topology.file", graph, {"topology.file=FOLDER/three.graph"}, three_routers_in_a_line},
      {"routing.file", table, {"routing.file=FOLDER/detour_table.csv"}, takes_the_detour},
      {"routing.escape_table",
       adaptive,
       {"routing.escape_table=FOLDER/detour_table.csv"},
       escapes_by_the_detour},
      {"workload.file", csv, {"workload.file=FOLDER/b.csv"}, length_2_and_4},
      {"workload.dependencies", csv, {"workload.dependencies=ignore"}, waits_for_nobody},
      {"workload.format",
       csv,
       {"workload.file=FOLDER/a.tra", "workload.format=netrace"},
       read_as_netrace},
      {"workload.flit_bytes", netrace, {"workload.flit_bytes=9"}, flits_of_9_bytes},
  };
}

// Permutations: the figures come from the paper that the specification cites.

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

// Packets of the second phase start where those of the first end; two edge colourings of 4x4
// differ.
void turns_elsewhere(const Observed& before, const Observed& after) {
  const auto turns = [](const Observed& seen) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> paths;
    for (const LoggedPacket& packet : seen.log) paths.insert({packet.source, packet.destination});
    return paths;
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

// Searching.

double found(const Observed& seen, const char* figure) {
  return seen.result.at("saturation").at(figure).get<double>();
}

double tried(const Observed& seen, std::size_t place) {
  return seen.result.at("trials").at(place).at("value").get<double>();
}

void finds_saturation(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("saturation"));
  CHECK(found(after, "value") > 0.3);
}

// 15 nodes offer 0.1 flits each: one node can accept all of them up to a share of about two thirds.
void crowds_the_hot_node(const Observed& before, const Observed& after) {
  CHECK(before.result["trials"][0]["offered_flits_per_node_cycle"] > 0.08);
  CHECK(found(after, "value") > 0.5);
  CHECK(found(after, "value") < 0.75);
}

void begins_at_02(const Observed& before, const Observed& after) {
  CHECK(tried(before, 0) == 0.1);
  CHECK(tried(after, 0) == 0.2);
}

void ends_at_03(const Observed&, const Observed& after) {
  CHECK(tried(after, after.result["trials"].size() - 1) == 0.3);
  CHECK(after.result["reason"] == "the network is not clearly saturated at search.to, 0.3");
}

void narrows_to_a_thousandth(const Observed& before, const Observed& after) {
  CHECK(found(before, "above") - found(before, "below") > 0.01 * found(before, "above"));
  CHECK(found(after, "above") - found(after, "below") <= 0.001 * found(after, "above"));
}

// Packets of the window that still wait do not count as lost.
void finds_more_by_accepted_load(const Observed& before, const Observed& after) {
  CHECK(after.result["config"]["search"].contains("share"));
  CHECK_FALSE(after.result["config"]["search"].contains("factor"));
  CHECK(found(after, "value") != found(before, "value"));
}

void bears_less_latency(const Observed& before, const Observed& after) {
  CHECK(found(after, "value") < 0.9 * found(before, "value"));
}

void bears_more_loss(const Observed& before, const Observed& after) {
  CHECK(found(after, "value") > 1.02 * found(before, "value"));
}

void is_confirmed(const Observed& before, const Observed& after) {
  CHECK(before.result["saturation"]["confirmed"] == false);
  CHECK(after.result["saturation"]["confirmed"] == true);
  CHECK(after.result["saturation"]["confirmation"]["runs"] == 1);
  CHECK(after.result["trials"].back()["seed"] == 1000002);
  CHECK(after.result["trials"].back()["window_cycles"] == 100000);
}

std::vector<KeyClaim> search_claims() {
  const auto searching = [](const std::string& keys) {
    Experiment experiment =
        with("search: {find: saturation, from: 0.1, precision: 0.05, confirm: 0" + keys + "}");
    experiment.measure = "{warmup: 200, window: 1000, drain_limit: 1000}";
    return experiment;
  };
  const Experiment latency = searching("");
  const Experiment accepted = searching(", rule: accepted");
  return {
      {"search.find",
       Experiment{},
       {"measure.drain_limit=500", "search.confirm=0", "search.precision=0.1",
        "search.find=saturation"},
       finds_saturation},
      {"search.key",
       latency,
       {"workload.pattern=hot_spot", "search.key=workload.hot_fraction"},
       crowds_the_hot_node},
      {"search.from", latency, {"search.from=0.2"}, begins_at_02},
      {"search.to", latency, {"search.to=0.3"}, ends_at_03},
      {"search.precision", accepted, {"search.precision=0.001"}, narrows_to_a_thousandth},
      {"search.confirm", latency, {"search.confirm=1"}, is_confirmed},
      {"search.rule", latency, {"search.rule=accepted"}, finds_more_by_accepted_load},
      {"search.factor", latency, {"search.factor=1.1"}, bears_less_latency},
      {"search.share", accepted, {"search.share=0.9"}, bears_more_loss},
  };
}

// Points of a sweep differ in this key, but the result of a point does not.
void is_no_other_run(const Observed& before, const Observed& after) {
  CHECK(after.result["checksum"] == before.result["checksum"]);
  CHECK(after.result["id"] == before.result["id"]);
}

// Classes.

std::uint64_t packets_of(const Observed& seen, const std::string& name) {
  return packets_where(seen,
                       [&](const LoggedPacket& packet) { return packet.message_class == name; });
}

double mean_latency(const Observed& seen, std::size_t place) {
  return seen.result["classes"][place]["latency_cycles"]["mean"];
}

void has_classes(const Observed& before, const Observed& after) {
  CHECK_FALSE(before.result.contains("classes"));
  CHECK(packets_of(before, "") == before.log.size());
  CHECK(after.result["classes"].size() == 1);
  CHECK(packets_of(after, "only") == after.log.size());
}

void is_called_question(const Observed& before, const Observed& after) {
  CHECK(packets_of(before, "a") == packets_of(after, "question"));
  CHECK(before.result["checksum"] == after.result["checksum"]);
}

// One of four virtual channels is left, so a packet waits for the one in front of it.
void has_one_channel(const Observed& before, const Observed& after) {
  CHECK(mean_latency(after, 0) > 1.1 * mean_latency(before, 0));
}

void is_in_front_of_the_other(const Observed& before, const Observed& after) {
  CHECK(mean_latency(after, 0) < mean_latency(before, 0));
  CHECK(mean_latency(after, 1) > mean_latency(before, 1));
}

void answers_later(const Observed& before, const Observed& after) {
  const auto first_answer = [](const Observed& seen) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const LoggedPacket& packet : seen.log) {
      if (packet.message_class == "answer") first = std::min(first, packet.created);
    }
    return first;
  };
  CHECK(first_answer(after) == first_answer(before) + 40);
}

void has_two_places(const Observed& before, const Observed& after) {
  CHECK(after.params.reply_queue == 2);
  CHECK(mean_latency(after, 0) > mean_latency(before, 0));
  CHECK(before.result["classes"][0]["packets"]["created"] ==
        after.result["classes"][0]["packets"]["created"]);
}

/// Two classes with virtual channels of their own that together are more than the mesh carries,
/// and routers with this arbitration.
/// Two streams of packets with a load each, as classes of a workload or as workloads of their own.
Experiment streams(const std::string& list, double load, const std::string& keys_of_a,
                   const std::string& keys_of_b) {
  const bool classes = list == "classes";
  const std::string own = fmt::format("{}load: {}", classes ? "" : "kind: traffic, ", load);
  Experiment experiment;
  experiment.workload =
      fmt::format("{{kind: {}, {}: [{{name: a, {}{}}}, {{name: b, {}{}}}]}}",
                  classes ? "traffic" : "together", list, own, keys_of_a, own, keys_of_b);
  experiment.measure = "{warmup: 0, window: 400, drain_limit: 0}";
  return experiment;
}

/// The same on virtual channels of their own, under an arbitration by class.
Experiment served(const std::string& list, const std::string& arbitration,
                  const std::string& keys) {
  Experiment experiment =
      streams(list, 0.5, ", virtual_channels: [0, 1]" + keys, ", virtual_channels: [2, 3]");
  experiment.more = "router: {virtual_channels: 4, arbitration: " + arbitration + "}";
  return experiment;
}

// The sources are no help to the class, because equal priorities take turns there.
void sends_more(const Observed& before, const Observed& after) {
  const auto accepted = [](const Observed& seen, std::size_t place) {
    return seen.result["classes"][place]["accepted_flits_per_node_cycle"].get<double>();
  };
  CHECK(accepted(after, 0) > 1.05 * accepted(before, 0));
  CHECK(accepted(after, 1) < accepted(before, 1));
}

/// The keys by which message classes differ in the network.
std::vector<KeyClaim> shared_claims(const std::string& list) {
  const std::string a = "workload." + list + "[0].";
  return {
      {a + "name", streams(list, 0.2, "", ""), {a + "name=question"}, is_called_question},
      {a + "virtual_channels",
       streams(list, 0.3, ", virtual_channels: [2, 3]", ", virtual_channels: [0, 1]"),
       {a + "virtual_channels=[2, 2]"},
       has_one_channel},
      {a + "priority",
       streams(list, 0.35, "", ", virtual_channels: [0, 3]"),
       {a + "priority=3"},
       is_in_front_of_the_other},
      {a + "weight", served(list, "weighted", ""), {a + "weight=16"}, sends_more},
      {a + "rate", served(list, "guaranteed", ""), {a + "rate=0.9"}, sends_more},
      {a + "burst",
       served(list, "guaranteed", ", rate: 0.2, burst: 1"),
       {a + "burst=4000"},
       sends_more},
  };
}

std::vector<KeyClaim> together_claims() {
  const auto first_of_b = [](const Observed& seen) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const LoggedPacket& packet : seen.log) {
      if (packet.message_class == "b") first = std::min(first, packet.created);
    }
    return first;
  };
  const Experiment two = with_workload(
      "{kind: together, workloads: [{name: b, kind: collective, operation: broadcast, algorithm: "
      "binomial}, {name: a, kind: traffic, load: 0.1}]}");
  return {
      {"workload.workloads",
       with_workload("{kind: traffic, load: 0.1}"),
       {"workload={kind: together, workloads: [{name: only, kind: traffic, load: 0.1}]}",
        "workload.workloads=[{name: only, kind: traffic, load: 0.1}]"},
       has_classes},
      {"workload.workloads[0].start",
       two,
       {"workload.workloads[0].start=300"},
       [=](const Observed& before, const Observed& after) {
         CHECK(first_of_b(before) == 0);
         CHECK(first_of_b(after) == 300);
       }},
  };
}

std::vector<KeyClaim> class_claims() {
  const Experiment asking =
      traffic("classes: [{name: ask, load: 0.2, packet_length: 2, reply: answer}, {name: answer}]",
              "{warmup: 0, window: 400, drain_limit: 0}");
  const Experiment apart = traffic(
      "classes: [{name: ask, load: 0.1, reply: answer, virtual_channels: [0, 1], service: 30}, "
      "{name: answer, virtual_channels: [2, 3]}]",
      "{warmup: 0, window: 400, drain_limit: 0}");
  const Experiment chosen = traffic(
      "classes: [{name: ask, load: 0.1, reply: answer}, {name: answer}, {name: other, load: 0}]",
      "{warmup: 0, window: 400, drain_limit: 0}");
  return {
      {"workload.classes",
       traffic("load: 0.2", "{window: 300}"),
       {"workload={kind: traffic, classes: [{name: only}]}", "workload.classes=[{name: only}]"},
       has_classes},
      {"workload.classes[0].reply",
       chosen,
       {"workload.classes[1].load=0.02", "workload.classes[2]={name: other}",
        "workload.classes[0].reply=other"},
       [](const Observed& before, const Observed& after) {
         CHECK(packets_of(before, "answer") > 0);
         CHECK(packets_of(before, "other") == 0);
         CHECK(after.result["classes"][1]["packets"]["created"] != 0);
         CHECK(packets_of(after, "other") > packets_of(after, "answer"));
       }},
      {"workload.classes[0].service", asking, {"workload.classes[0].service=40"}, answers_later},
      {"node.reply_queue", apart, {"node.reply_queue=2"}, has_two_places},
  };
}

// Energy.

double energy(const Observed& seen, const char* figure) {
  return seen.result.at("energy").at(figure).get<double>();
}

void tells_energies(const Observed& before, const Observed& after) {
  CHECK(before.result.count("energy") == 0);
  CHECK(before.summary.find("  energy ") == std::string::npos);
  CHECK(energy(after, "dynamic_pj") > 0);
  CHECK(after.summary.find("no forecast of silicon") != std::string::npos);
  CHECK(after.summary.find("payloads taken as random") != std::string::npos);
  CHECK(before.result["checksum"] == after.result["checksum"]);
}

// Each received flit costs 8 pJ more, and as many flits are received as sent.
void costs_more_by_flits(const Observed& before, const Observed& after) {
  double flits = 0;
  for (const auto& router : after.result["energy"]["routers"]) {
    flits += router["flits"].get<double>();
  }
  const double more = energy(after, "dynamic_pj") - energy(before, "dynamic_pj");
  CHECK(std::abs(more - 8 * flits) < 0.01 * 8 * flits);
}

void has_twice_the_clock(const Observed& before, const Observed& after) {
  CHECK(energy(after, "clock_pj") == 2 * energy(before, "clock_pj"));
  CHECK(energy(after, "dynamic_pj") > energy(before, "dynamic_pj"));
}

// A millimetre has 0.1 pF, a pin 0.01 pF; channels to nodes do not change.
void has_longer_links(const Observed& before, const Observed& after) {
  CHECK(energy(after, "link_pj") > 10 * energy(before, "link_pj"));
  CHECK(energy(after, "link_pj") < 81.0 / 11 * 2 * energy(before, "link_pj"));
  CHECK(energy(after, "dynamic_pj") == energy(before, "dynamic_pj"));
}

void changes_fewer_bits(const Observed& before, const Observed& after) {
  CHECK(after.result["energy"]["payload"] == "zero");
  CHECK(energy(after, "dynamic_pj") < 0.7 * energy(before, "dynamic_pj"));
}

std::vector<KeyClaim> energy_claims() {
  const Experiment priced = with("energy: {cells: table, table: FOLDER/round.yaml}");
  Experiment built_in;
  built_in.more = "router: {virtual_channels: 2, buffer_depth: 4}";
  return {
      {"energy.cells", built_in, {"energy.cells=osu018"}, tells_energies},
      {"energy.table", priced, {"energy.table=FOLDER/dearer.yaml"}, costs_more_by_flits},
      {"energy.width", priced, {"energy.width=40"}, has_twice_the_clock},
      {"energy.link_mm", priced, {"energy.link_mm=16"}, has_longer_links},
      {"energy.payload", priced, {"energy.payload=zero"}, changes_fewer_bits},
  };
}

/// Returns a reduction of 16 contributions of 8 flits to node 0, in 4 rounds of the binomial tree:
/// 15 messages.
Experiment reduction(const std::string& data) {
  return with_workload(
      "{kind: collective, operation: reduce, algorithm: unicast_rounds, length: 8, data: {" + data +
      "}}");
}

std::string digest(const Observed& seen) {
  return seen.result.at("collective").at("data").at("digest");
}

std::uint64_t collective_cycles(const Observed& seen) {
  return seen.result.at("collective").at("cycles").get<std::uint64_t>();
}

void has_other_results(const Observed& before, const Observed& after) {
  CHECK(digest(before) != digest(after));
  CHECK(collective_cycles(before) == collective_cycles(after));
}

std::vector<KeyClaim> data_claims() {
  const auto combined = [](const Observed& seen) {
    return seen.result.at("collective").at("data").at("combined").get<std::uint64_t>();
  };
  return {
      {"workload.data.operator",
       reduction("operator: add"),
       {"workload.data.operator=none"},
       [](const Observed& before, const Observed& after) {
         CHECK(before.result.at("collective").contains("data"));
         CHECK(!after.result.at("collective").contains("data"));
       }},
      {"workload.data.operator",
       reduction("operator: add"),
       {"workload.data.operator=max"},
       has_other_results},
      {"workload.data.type",
       reduction("operator: add, type: int64"),
       {"workload.data.type=float64"},
       has_other_results},
      {"workload.data.type",
       reduction("operator: xor, type: int32"),
       {"workload.data.type=int64"},
       has_other_results},
      {"workload.data.elements",
       reduction("operator: add"),
       {"workload.data.elements=3"},
       [=](const Observed& before, const Observed& after) {
         CHECK(combined(before) == 15 * 8);
         CHECK(combined(after) == 15 * 8 * 3);
       }},
      // In each round some node combines 16 elements, which takes ceil(16 * 0.7) cycles.
      {"workload.data.combine_cycles",
       reduction("operator: add, elements: 2"),
       {"workload.data.combine_cycles=0.7"},
       [](const Observed& before, const Observed& after) {
         CHECK(collective_cycles(after) == collective_cycles(before) + 4 * 12);
       }},
  };
}

/// Two broadcasts of 15 messages each.
const std::string kTwoBroadcasts =
    "[{operation: broadcast, algorithm: binomial}, {operation: broadcast, algorithm: binomial, "
    "source: 5}]";

std::vector<KeyClaim> several_claims() {
  const Experiment two =
      with_workload("{kind: several_collectives, operations: " + kTwoBroadcasts + "}");
  const auto created_first = [](const Observed& seen) { return created_in(seen, 0, 1); };
  return {
      {"workload.order",
       two,
       {"workload.order=at_once"},
       [=](const Observed& before, const Observed& after) {
         CHECK(created_first(before) == 1);
         CHECK(created_first(after) == 2);
         const auto& operations = before.result.at("operations");
         CHECK(operations[1].at("begin") == operations[0].at("cycles"));
       }},
      {"workload.operations",
       two,
       {"workload.operations=[{operation: barrier, algorithm: dissemination}]"},
       [](const Observed& before, const Observed& after) {
         CHECK(before.log.size() == 2 * 15);
         CHECK(after.log.size() == 16 * 4);
       }},
      {"workload.operations[0].source",
       two,
       {"workload.operations[0].source=7"},
       [](const Observed& before, const Observed& after) {
         CHECK(before.log.front().source == 0);
         CHECK(after.log.front().source == 7);
       }},
  };
}

}  // namespace

std::vector<KeyClaim> key_claims() {
  std::vector<KeyClaim> claims{
      {"name", Experiment{}, {"name=other"}, is_called_other},
      {"repeat", Experiment{}, {"repeat=3"}, is_no_other_run},
      {"optimise.objectives",
       Experiment{},
       {"optimise.objectives=[minimise latency_cycles.mean]"},
       is_no_other_run},
      {"optimise.constraints",
       Experiment{},
       {"optimise.constraints=[latency_cycles.mean <= 60]"},
       is_no_other_run},
      {"optimise.unsaturated", Experiment{}, {"optimise.unsaturated=true"}, is_no_other_run},
      {"optimise.budget", Experiment{}, {"optimise.budget=3"}, is_no_other_run},
      {"clock", with("clock: 1 GHz"), {"clock=2 GHz"}, halves_the_times},
      {"flit_width", with("clock: 1 GHz\nflit_width: 8 B"), {"flit_width=24 B"}, triples_the_rates},
      {"router.pipeline.traversal",
       Experiment{},
       {"router.pipeline.traversal=3"},
       crosses_in_three_cycles},
      {"run.threads", Experiment{}, {"run.threads=3"}, has_three_threads},
      {"run.implementation",
       Experiment{},
       {"run.implementation=pins"},
       is_built_of_modules_with_pins},
      {"run.level", kSharing, {"run.level=flow"}, is_an_estimate},
      {"run.level",
       {"{kind: hypercube, dimension: 4}", "{kind: e_cube}", kSharing.workload},
       {"run.level=flow"},
       is_exact},
      {"trace.signals", with(kTraced), {"trace.signals=[link_3]"}, shows_link_3},
      {"trace.signals", Experiment{}, {"trace.signals=[router_6]"}, shows_router_6_alone},
      {"measure.series", Experiment{}, {"measure.series=50"}, has_spans_of_50},
      {"measure.buffers", Experiment{}, {"measure.buffers=10"}, takes_50_samples},
      {"measure.fairness", Experiment{}, {"measure.fairness=true"}, tells_fairness},
      {"measure.distances", Experiment{}, {"measure.distances=true"}, tells_distances},
      {"trace.from", with(kTraced), {"trace.from=50"}, begins_in_cycle_50},
      {"trace.to", with(kTraced), {"trace.to=60"}, ends_in_cycle_60},
  };
  for (const auto& more :
       {measure_claims(), traffic_claims(), matrix_claims(), closed_loop_claims(),
        transaction_claims(), file_claims(), program_claims(), collective_claims(), data_claims(),
        several_claims(), permutation_claims(), search_claims(), class_claims(), together_claims(),
        shared_claims("classes"), shared_claims("workloads"), energy_claims()}) {
    claims.insert(claims.end(), more.begin(), more.end());
  }
  return claims;
}

void write_files(const Folder& folder) {
  write_energy_tables(folder);
  folder.write("two.graph", "router a\nrouter b\nterminal s a\nterminal t b\nlink a b\n");
  folder.write("three.graph",
               "router a\nrouter b\nrouter c\nterminal s a\nterminal t c\nlink a b\nlink b c\n");
  folder.write("one.csv", "cycle,src,dst,flits\n0,0,1,2\n");
  const std::string table =
      "router,destination,output\n0,3,0\n0,2,2\n1,0 2,1\n1,3,2\n2,3,0\n2,1,0\n2,0,3\n"
      "3,0 2,1\n3,1,3\n";
  folder.write("direct_table.csv", table + "0,1,0\n");
  folder.write("detour_table.csv", table + "0,1,2\n");
  folder.write("a.csv", "cycle,src,dst,flits,id,deps\n3,0,15,9,1,\n3,1,2,1,2,1\n");
  folder.write("matrix.csv", "source,destination,rate\n0,15,0.4\n3,1,0.2\n");
  folder.write("other.csv", "source,destination,rate\n5,6,0.3\n");
  folder.write("two.csv", "cycle,src,dst,flits\n0,0,3,5\n0,0,3,5\n");
  folder.write("b.csv", "cycle,src,dst,flits\n0,0,1,2\n50,2,3,4\n");
  for (const auto& [name, type] : kCollectives) {
    write_chakra(folder, name, ChakraProgram(4, {collective(1, type, 64)}));
  }
  ChakraProgram two_groups;
  for (const char* group : {"a", "a", "b", "b"})
    two_groups.push_back({collective(1, 5, 64, {}, group)});
  write_chakra(folder, "two_groups", two_groups);
  ChakraNode kernel = computation(1, 1);
  kernel.operations = 2'000'000'000;
  kernel.moved = 3'000'000;
  ChakraNode on_cpu = computation(1, 1);
  on_cpu.on_cpu = true;
  ChakraNode other = on_cpu;
  other.id = 3;
  const ChakraNode message = send(2, 1, 150, {1});
  write_chakra(folder, "kernel", {{kernel, message}, {receive(1, 0, 150)}});
  write_chakra(
      folder, "kernels",
      {{computation(1, 1), computation(3, 1), send(2, 1, 150, {1, 3})}, {receive(1, 0, 150)}});
  write_chakra(folder, "cpu_nodes",
               {{on_cpu, other, send(2, 1, 150, {1, 3})}, {receive(1, 0, 150)}});
  write_chakra(folder, "one", {{computation(1, 1), send(2, 1, 150, {1})}, {receive(1, 0, 150)}});
  folder.write("a.tra", netrace_bytes({{5, 1, 2, 6, 11}}));
}

}  // namespace flitcast::program
