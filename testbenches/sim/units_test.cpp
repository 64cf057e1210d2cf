// SPDX-License-Identifier: Apache-2.0
// The same experiment in cycles and flits, and in units of time and data.
#include <string>
#include <vector>

#include "collective/demand.h"
#include "experiment.h"
#include "observed.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

const std::string kScale = "clock: 1.25 GHz\nflit_width: 16 B\n";  // 0.8 ns; 20 GB/s.

struct Pair {
  Experiment plain;
  Experiment with_units;
};

std::vector<Pair> pairs() {
  const Experiment base;
  Experiment traffic = base;
  traffic.workload =
      "{kind: traffic, load: 0.1, packet_length: [1, 5], injection: on_off, burst_length: 50, "
      "peak_load: 0.8}";
  traffic.more = "router: {buffer_depth: 12}\nlink: {latency: 6, credit_latency: 2}";
  Experiment units = base;
  units.workload =
      "{kind: traffic, load: 2 GB/s, packet_length: [16 B, 0.078125KiB], injection: on_off, "
      "burst_length: 40 ns, peak_load: 128 Gb/s}";
  units.measure = "{warmup: 80 ns, window: 0.4us}";
  units.more = kScale +
               "router: {buffer_depth: 192 B}\nlink: {latency: 4.8 ns, "
               "credit_latency: 1.6e3 ps}";
  Experiment collective = base;
  collective.topology = "{kind: ring, nodes: 8}";
  collective.workload = "{kind: collective, operation: all_reduce, algorithm: ring, length: 64}";
  collective.more = "link: {cycles_per_flit: 4}\nnode: {startup: 20}";
  Experiment bytes = collective;
  bytes.workload = "{kind: collective, operation: all_reduce, algorithm: ring, length: 1 KiB}";
  bytes.more = kScale + "link: {cycles_per_flit: 5 GB/s}\nnode: {startup: 16 ns}";
  Experiment stored = base;
  stored.workload = "{kind: permutation, permutation: transpose, length: 3}";
  stored.more = "router: {kind: store_and_forward, buffer_depth: 30}\nlink: {cycles_per_flit: 2}";
  Experiment stored_bytes = stored;
  stored_bytes.workload = "{kind: permutation, permutation: transpose, length: 384 b}";
  stored_bytes.more = kScale +
                      "router: {kind: store_and_forward, buffer_depth: 30}\nlink: "
                      "{cycles_per_flit: 1.6 ns}";
  return {{traffic, units}, {collective, bytes}, {stored, stored_bytes}};
}

}  // namespace

TEST_CASE(
    "an experiment in ns and GB/s has the cycles and the checksum of that in cycles and flits",
    "[sim]") {
  for (const Pair& pair : pairs()) {
    INFO(pair.with_units.text());
    const Observed plain = observe(configuration_of(pair.plain.text()));
    const Observed units = observe(configuration_of(pair.with_units.text()));
    CHECK(units.result["cycles"] == plain.result["cycles"]);
    CHECK(units.result["checksum"] == plain.result["checksum"]);
    CHECK(units.result["latency_cycles"] == plain.result["latency_cycles"]);
    CHECK_FALSE(plain.result.contains("physical"));
    CHECK(units.result.contains("notes") == plain.result.contains("notes"));
  }
}

TEST_CASE("the configuration in a result is in cycles and flits, and gives the same run again",
          "[sim]") {
  const Experiment experiment = pairs()[0].with_units;
  const Observed first = observe(configuration_of(experiment.text(), {"link.latency=5.1 ns"}));
  const auto& config = first.result["config"];
  CHECK(config["clock"] == 1.25);
  CHECK(config["flit_width"] == 128);
  CHECK(config["link"]["latency"] == 7);
  CHECK(config["workload"]["load"] == 0.1);
  CHECK(config["workload"]["packet_length"].dump() == "[1,5]");
  const Observed again = observe(configuration_of(config.dump()));
  CHECK(again.result["checksum"] == first.result["checksum"]);
  CHECK(again.result["id"] == first.result["id"]);
  CHECK(again.result["physical"] == first.result["physical"]);
  CHECK(first.result["notes"][0] == "link.latency: 5.1 ns is 6.375 cycles, rounded up to 7");
}

TEST_CASE("sweeps and --set take units, and points have plain values", "[sim]") {
  Document document = parse_document(
      with(kScale + "sweep: {link.latency: [1.6 ns, 4], workload.load: [2 GB/s, 0.2]}").text(),
      "x.yaml");
  apply_overrides(document, {"measure.window=80 ns"});
  const Sweep sweep(document, experiment_schema());
  REQUIRE(sweep.size() == 4);
  CHECK(sweep.values(0, sweep.point(0)).dump() == R"({"link.latency":2,"workload.load":0.1})");
  CHECK(sweep.values(3, sweep.point(3)).dump() == R"({"link.latency":4,"workload.load":0.2})");
  CHECK(sweep.point(0).section("measure").integer("window") == 100);
}

TEST_CASE("the clock may be swept: times in ns are then other cycles", "[sim]") {
  const Sweep sweep(
      parse_document(with("link: {latency: 4 ns}\nsweep: {clock: [1 GHz, 500 MHz]}").text(), "x"),
      experiment_schema());
  CHECK(sweep.point(0).section("link").integer("latency") == 4);
  CHECK(sweep.point(1).section("link").integer("latency") == 2);
}

TEST_CASE("a threshold of flits times links is a plain number", "[sim]") {
  const std::string text =
      "topology: {kind: torus, sizes: [4, 4]}\nrouting: {kind: ugal, "
      "threshold: 64}\nworkload: {kind: traffic}\nclock: 1 GHz\n"
      "flit_width: 8 B\n";
  CHECK(configuration_of(text).section("routing").integer("threshold") == 64);
  CHECK_THROWS_WITH(configuration_of(text, {"routing.threshold=64 B"}),
                    Catch::Contains("routing.threshold: 64 B is not an integer"));
}

TEST_CASE("all values that lack a scale are refused at once, with their places", "[sim]") {
  try {
    configuration_of(with_workload("{kind: traffic, load: 1 GB/s, packet_length: 64 B}").text(),
                     {"link.latency=5 ns"});
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(error.problems().size() == 3);
    CHECK(std::string(error.what())
              .find("x.yaml:3:33: workload.load: 1 GB/s needs a clock and the "
                    "width of a flit; write clock: 1 GHz and flit_width: 128 "
                    "b at the top of the file") != std::string::npos);
  }
  // A faulty clock is one problem, not one for each time.
  try {
    configuration_of(with("clock: 0 GHz\nlink: {latency: 5 ns}").text());
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(error.problems().size() == 1);
  }
}

TEST_CASE("bandwidths of collectives are those of nccl-tests", "[sim]") {
  // For 8 ranks: lengths in the buffer of a rank, and lengths that cross the slowest link.
  const auto lengths = [](Operation operation) {
    const auto factors = bandwidth_of(operation, 8);
    return factors ? std::vector<double>{factors->buffer, factors->buffer * factors->bus}
                   : std::vector<double>{};
  };
  using Lengths = std::vector<double>;
  CHECK(lengths(Operation::kBroadcast) == Lengths{1, 1});
  CHECK(lengths(Operation::kMulticast) == Lengths{1, 1});
  CHECK(lengths(Operation::kReduce) == Lengths{1, 1});
  CHECK(lengths(Operation::kAllReduce) == Lengths{1, 1.75});
  CHECK(lengths(Operation::kReduceScatter) == Lengths{1, 0.875});
  CHECK(lengths(Operation::kGossip) == Lengths{8, 7});
  CHECK(lengths(Operation::kAllToAllScatter) == Lengths{8, 7});
  CHECK(lengths(Operation::kScatter) == Lengths{8, 7});
  CHECK(lengths(Operation::kGather) == Lengths{8, 7});
  for (const Operation none : {Operation::kBarrier, Operation::kScan, Operation::kExclusiveScan}) {
    CHECK(lengths(none).empty());
  }
}

TEST_CASE("a message longer than a packet arrives whole, in several packets", "[sim]") {
  Experiment experiment;
  experiment.topology = "{kind: mesh, sizes: [3]}";
  experiment.workload =
      "{kind: collective, operation: broadcast, algorithm: binomial, length: 150000}";
  const Observed seen = observe(configuration_of(experiment.text()));
  CHECK(seen.result["status"] == "ok");
  CHECK(seen.result["collective"]["transmissions"] == 2);
  REQUIRE(seen.log.size() == 6);
  std::uint64_t flits = 0;
  for (const LoggedPacket& packet : seen.log) flits += packet.length;
  CHECK(flits == 2 * 150000);
  CHECK(seen.result["collective"]["cycles"] == seen.log.back().arrived + 1);
  // Two rounds with a flit in every cycle, and a few cycles for headers.
  CHECK(seen.result["collective"]["cycles"] >= 2 * 150000);
  CHECK(seen.result["collective"]["cycles"] <= 2 * 150000 + 200);
}

TEST_CASE("the longest chunk has 2^40 flits, and is refused where it would be sent", "[sim]") {
  Experiment experiment;
  experiment.topology = "{kind: ring, nodes: 4}";
  experiment.workload = "{kind: collective, operation: all_reduce, algorithm: ring, length: 1 TiB}";
  experiment.more = "clock: 1 GHz\nflit_width: 1 B";
  CHECK(configuration_of(experiment.text()).section("workload").integer("length") == std::int64_t{1}
                                                                                         << 40);
  try {
    observe(configuration_of(experiment.text()));
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what())
              .find("workload.length: messages of 274877906944 flits are too "
                    "long to be sent") != std::string::npos);
  }
}

TEST_CASE("flits of energies have the width of the experiment, or more", "[sim]") {
  const std::string text = with("energy: {cells: osu018}").text();
  const auto width = [](const std::string& experiment, const std::vector<std::string>& more = {}) {
    return configuration_of(experiment, more).section("energy").integer("width");
  };
  CHECK(width(text) == 34);
  const std::string wide = text + "flit_width: 16 B\n";
  CHECK(width(wide) == 128);
  CHECK(width(wide, {"energy.width=150"}) == 150);
  CHECK_THROWS_WITH(width(wide, {"energy.width=127"}),
                    Catch::Contains("energy.width: is 127 bits, which contradicts flit_width; "
                                    "write at least 128, or change flit_width"));
  CHECK_THROWS_WITH(width(text + "flit_width: 1 KiB\n"),
                    Catch::Contains("energy.width: is 8192 bits, which contradicts flit_width"));
}
