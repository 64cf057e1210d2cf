// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "network/circuit/circuit_run.h"
#include "network/circuit/multicasts.h"
#include "network/circuit/pins_network.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Driver writes by the first cycle in which they are effective.
using Writes = std::map<std::uint64_t, std::vector<DriverWrite>>;
/// Flits on the wires from nodes, by cycle.
using Streams = std::map<std::uint64_t, std::vector<NodeFlit>>;
/// Arrival of a flit at a node: cycle, node, packet, number of flits that follow.
using Arrival = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// Runs a circuit-switched network and records every change of a driver in its crossbars.
Writes run_and_monitor(CircuitRun& run, std::uint64_t cycles) {
  const CrossbarStages& stages = run.network.stages();
  std::vector<std::vector<std::uint32_t>> drivers;
  for (std::uint32_t s = 0; s < stages.size(); ++s) {
    drivers.emplace_back(stages.crossbar(s).outputs(), CrossbarCore::kNone);
  }
  Writes writes;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    run.network.run(1);
    for (std::uint32_t s = 0; s < stages.size(); ++s) {
      for (std::uint32_t output = 0; output < drivers[s].size(); ++output) {
        const std::uint32_t driver = stages.crossbar(s).driver(output);
        if (driver == drivers[s][output]) continue;
        writes[cycle].push_back({s, output, driver});
        drivers[s][output] = driver;
      }
    }
  }
  return writes;
}

/// Derives the sent and the arrived flits from the deliveries; packets are numbered in order of
/// arrival.
void read_deliveries(const CircuitRun& run, Streams& streams, std::vector<Arrival>& arrivals) {
  std::map<PacketId, std::uint32_t> numbers;
  for (const Delivery& delivery : run.probe.deliveries) {
    const Packet& packet = delivery.packet;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [entry, is_new] = numbers.emplace(packet.id, next);
    for (std::uint32_t q = 0; q < packet.length; ++q) {
      Flit flit;
      flit.packet = PacketSlot{entry->second};
      flit.head = q == 0;
      flit.remaining = static_cast<std::uint16_t>(packet.length - 1 - q);
      if (is_new) streams[index(packet.injected) + q].push_back({index(packet.source), flit});
      arrivals.emplace_back(index(delivery.arrival) - flit.remaining, index(delivery.node),
                            entry->second, flit.remaining);
    }
  }
  std::sort(arrivals.begin(), arrivals.end());
}

}  // namespace

TEST_CASE("crossbars with pins deliver the same flits in the same cycles", "[circuit]") {
  constexpr std::uint64_t kCycles = 1500;
  CircuitParams params;
  params.stage_cycles = GENERATE(1U, 2U, 5U);
  const auto structure = GENERATE(symmetric(5, 3, 3), symmetric(1, 1, 1), symmetric(3, 1, 3),
                                  five_stages(3, 2, 3, 2, 2),
                                  clos::MultistageStructure{{clos::Structure{5, 4, 2, 2, 4}}});
  const auto groups = std::make_shared<DestinationGroups>(structure.levels.front().inputs());
  CircuitRun run("network", structure, params,
                 std::make_unique<RandomMulticasts>(groups, RandomMulticasts::Params{8, 7, 3, 4}),
                 groups);
  run.expected_packets = 8 * groups->nodes();
  PinsNetwork pins(run.network.topology(), params.stage_cycles);
  const Writes writes = run_and_monitor(run, kCycles);
  REQUIRE(run.drained());
  Streams streams;
  std::vector<Arrival> expected;
  read_deliveries(run, streams, expected);

  std::vector<Arrival> arrivals;
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    // A write at an edge is effective for the flits of the next cycle.
    const auto write = writes.find(cycle + 1);
    const std::vector<DriverWrite> now =
        write == writes.end() ? std::vector<DriverWrite>{} : write->second;
    for (const NodeFlit& arrived : pins.cycle(streams[cycle], now)) {
      arrivals.emplace_back(cycle, arrived.node, index(arrived.flit.packet),
                            arrived.flit.remaining);
    }
  }
  std::sort(arrivals.begin(), arrivals.end());
  CHECK(arrivals.size() == run.network.totals().flits_ejected);
  CHECK(arrivals == expected);
}

namespace {

/// One crossbar of two inputs and three outputs.
class CrossbarBench {
 public:
  explicit CrossbarBench(std::uint32_t stage_cycles) : crossbar_("crossbar", 2, 3, stage_cycles) {
    crossbar_.clk_i(clk_);
    crossbar_.rst_ni(rst_n);
    crossbar_.in_valid_i(in_valid);
    crossbar_.in_flit_i(in_flit_);
    crossbar_.config_valid_i(config_valid_);
    crossbar_.config_driver_i(config_driver_);
    crossbar_.out_valid_o(out_valid);
    crossbar_.out_flit_o(out_flit);
    rst_n = true;
  }

  void write(std::uint32_t output, unsigned driver) {
    config_valid_[output] = true;
    config_driver_[output] = driver;
  }
  void put(std::uint32_t input, std::uint32_t packet) {
    in_valid[input] = true;
    Flit flit;
    flit.packet = PacketSlot{packet};
    in_flit_[input] = flit;
  }
  void cycle() {
    half(false);
    half(true);
    for (auto& valid : in_valid) valid = false;
    for (auto& valid : config_valid_) valid = false;
  }
  /// Returns the packet on an output, or -1 if there is none.
  int packet_at(std::uint32_t output) const {
    return out_valid[output].read() ? static_cast<int>(index(out_flit[output].read().packet)) : -1;
  }

  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  Signals<bool> in_valid{"in_valid", 2};
  Signals<bool> out_valid{"out_valid", 3};
  Signals<Flit> out_flit{"out_flit", 3};

 private:
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  sc_core::sc_signal<bool> clk_{"clk"};
  Signals<Flit> in_flit_{"in_flit", 2};
  Signals<bool> config_valid_{"config_valid", 3};
  Signals<unsigned> config_driver_{"config_driver", 3};
  pins::MulticastCrossbar crossbar_;
};

}  // namespace

TEST_CASE("copies are on all driven outputs stage_cycles edges after the flit", "[circuit]") {
  const std::uint32_t stage_cycles = GENERATE(1U, 2U, 4U);
  CrossbarBench bench(stage_cycles);
  bench.write(0, 1);
  bench.write(2, 1);
  bench.cycle();
  bench.put(1, 9);
  for (std::uint32_t edge = 1; edge <= stage_cycles; ++edge) {
    CHECK(bench.packet_at(2) == -1);
    bench.cycle();
  }
  CHECK(bench.packet_at(0) == 9);
  CHECK(bench.packet_at(1) == -1);
  CHECK(bench.packet_at(2) == 9);
  bench.cycle();
  CHECK(bench.packet_at(0) == -1);
}

TEST_CASE("a write holds from the next edge on", "[circuit]") {
  CrossbarBench bench(1);
  bench.write(0, 1);
  bench.cycle();
  bench.put(1, 5);
  bench.write(0, 2);  // Makes the output idle after the next flit.
  bench.cycle();
  CHECK(bench.packet_at(0) == 5);  // This flit still passes.
  bench.write(0, 0);
  bench.cycle();
  bench.put(0, 6);
  bench.cycle();
  CHECK(bench.packet_at(0) == 6);
}

TEST_CASE("reset makes all outputs idle and empties the stage", "[circuit]") {
  CrossbarBench bench(3);
  bench.write(0, 1);
  bench.cycle();
  bench.put(1, 5);
  bench.cycle();
  bench.rst_n = false;
  bench.cycle();
  bench.rst_n = true;
  bench.write(0, 0);  // Not a second driver.
  for (int edge = 0; edge < 5; ++edge) {
    bench.cycle();
    CHECK(bench.packet_at(0) == -1);
  }
}

TEST_CASE("a second driver and a flit without outputs are reported", "[circuit]") {
  CrossbarBench bench(1);
  bench.write(0, 1);
  bench.cycle();
  if (GENERATE(false, true)) {
    bench.write(0, 0);
  } else {
    bench.put(0, 3);
  }
  CHECK_THROWS_AS(bench.cycle(), sc_core::sc_report);
}
