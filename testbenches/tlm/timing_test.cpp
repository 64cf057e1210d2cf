// SPDX-License-Identifier: Apache-2.0
#include "tlm/timing.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::NodeId;
using flitcast::Random;
using flitcast::zero_load_latency;
using flitcast::tlm::InterconnectParams;
using flitcast::tlm::Timing;
using sc_core::SC_NS;
using sc_core::sc_time;
using namespace ::tlm;

namespace {

void fill(tlm_generic_payload& payload, tlm_command command, std::uint64_t address, Bytes& data) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
}

std::uint64_t in_ns(const sc_time& time) {
  return static_cast<std::uint64_t>(time / sc_time(1, SC_NS) + 0.5);
}

/// Four initiators at each node of a square mesh read and write lines of 64 bytes of random
/// targets, with random pauses between.
struct Uniform {
  double latency = 0;  ///< Mean time of a transaction in cycles.
  double load = 0;     ///< Flits per node and cycle.
};
Uniform uniform(std::uint32_t side, Timing timing, double pause) {
  const std::uint32_t nodes = side * side;
  const std::uint32_t count = 4 * nodes;
  const unsigned each = 3200 / nodes;
  const flitcast::RoutedNetwork network = mesh_network({side, side});
  InterconnectParams params = params_for(0, nodes, nodes);
  for (std::uint32_t i = 0; i < count; ++i) {
    params.placement.initiators.push_back(NodeId{i % nodes});
  }
  params.check_protocol = false;
  params.timing = timing;
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  std::vector<std::unique_ptr<LtInitiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto body = [pause, i, nodes, each](LtInitiator& self) {
      Random random = Random::stream(5, i);
      for (unsigned k = 0; k < each; ++k) {
        sc_core::wait(2 * pause * random.uniform(), SC_NS);
        Bytes data(64);
        self.access(random.below(2) == 0 ? TLM_READ_COMMAND : TLM_WRITE_COMMAND,
                    random.below(nodes) * kWindow, data);
      }
    };
    initiators.push_back(
        std::make_unique<LtInitiator>(("initiator_" + std::to_string(i)).c_str(), body));
    initiators[i]->socket.bind(net.target_socket[i]);
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    memories.push_back(std::make_unique<Memory>(("memory_" + std::to_string(n)).c_str(), kWindow,
                                                PhaseStyle::kTwoPhases));
    net.initiator_socket[n].bind(memories[n]->socket);
  }
  sc_core::sc_start();
  Uniform result;
  for (std::uint32_t i = 0; i < count; ++i) {
    result.latency += net.initiator(i).latency().mean() / count;
  }
  // A transaction has 2 flits in one packet and 18 in the other.
  result.load = 4 * 20 / (pause + result.latency);
  return result;
}

}  // namespace

TEST_CASE("an estimated transaction alone takes the time of the network, and its caller none",
          "[tlm]") {
  const Timing timing = GENERATE(Timing::kAnalytic, Timing::kIdeal);
  Pair pair;
  pair.net.set_timing(timing);
  sc_time delay(7, SC_NS);
  sc_time spent = sc_core::SC_ZERO_TIME;
  tlm_response_status status{};
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    sc_core::wait(100, SC_NS);
    Bytes data(16);
    tlm_generic_payload payload;
    fill(payload, TLM_WRITE_COMMAND, 0x20, data);
    self.socket->b_transport(payload, delay);
    status = payload.get_response_status();
    CHECK(payload.get_address() == 0x20);
    spent = sc_core::sc_time_stamp() - sc_time(100, SC_NS);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start();
  CHECK(status == TLM_OK_RESPONSE);
  CHECK(spent == sc_core::SC_ZERO_TIME);
  const std::uint64_t network =
      1 + zero_load_latency(pair.network, network_params(), NodeId{0}, NodeId{1}, 6) + 1 +
      zero_load_latency(pair.network, network_params(), NodeId{1}, NodeId{0}, 2);
  CHECK(in_ns(delay) == 7 + (timing == Timing::kAnalytic ? network : 0));
  CHECK(pair.net.fabric().totals().packets_created == 0);
  CHECK(pair.net.initiator(0).writes() == 1);
  CHECK(pair.net.target(0).writes() == 1);
  pair.net.audit();
}

namespace {

/// A row of the manual's table of estimates.
struct Row {
  std::uint32_t side = 0;
  double pause = 0;
  double load = 0;
  double cycle = 0;
  double analytic = 0;
  double error = 0;  ///< In per cent.
};

std::vector<Row> rows_of_the_manual() {
  std::vector<Row> rows;
  std::ifstream page(FLITCAST_TLM_GUIDE);
  for (std::string line; std::getline(page, line);) {
    Row row;
    if (std::sscanf(line.c_str(), "| %ux%*u | %lf | %lf | %lf | %lf | %lf", &row.side, &row.load,
                    &row.pause, &row.cycle, &row.analytic, &row.error) == 6) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("times of the network, estimates of them and their errors are those of the manual",
          "[tlm]") {
  const std::vector<Row> rows = rows_of_the_manual();
  REQUIRE(rows.size() == 8);
  const Row& row = rows.at(static_cast<std::size_t>(GENERATE(range(0, 8))));
  const Timing timing = GENERATE(Timing::kCycle, Timing::kAnalytic);
  const Uniform seen = uniform(row.side, timing, row.pause);
  INFO("side " << row.side << ", load " << seen.load << ", mean " << seen.latency);
  CHECK(seen.latency == Approx(timing == Timing::kCycle ? row.cycle : row.analytic).margin(0.05));
  if (timing == Timing::kCycle) CHECK(seen.load == Approx(row.load).margin(0.005));
  CHECK(row.error == Approx(100 * (row.analytic / row.cycle - 1)).margin(0.15));
}

TEST_CASE("the timing changes while the simulation runs, for calls from then on", "[tlm]") {
  Pair pair;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spent;  // Waited and annotated ns.
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (const Timing timing :
         {Timing::kIdeal, Timing::kCycle, Timing::kAnalytic, Timing::kCycle}) {
      sc_core::wait(100, SC_NS);
      pair.net.set_timing(timing);
      Bytes data(4);
      tlm_generic_payload payload;
      fill(payload, TLM_READ_COMMAND, 0, data);
      sc_time delay = sc_core::SC_ZERO_TIME;
      const sc_time begin = sc_core::sc_time_stamp();
      self.socket->b_transport(payload, delay);
      CHECK(payload.is_response_ok());
      spent.emplace_back(in_ns(sc_core::sc_time_stamp() - begin), in_ns(delay));
    }
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start();
  const std::uint64_t network =
      1 + zero_load_latency(pair.network, network_params(), NodeId{0}, NodeId{1}, 2) + 1 +
      zero_load_latency(pair.network, network_params(), NodeId{1}, NodeId{0}, 3);
  CHECK(spent == std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                     {0, 0}, {network, 0}, {0, network}, {network, 0}});
  CHECK(pair.net.initiator(0).reads() == 4);
  pair.net.audit();
}

TEST_CASE("a target that waits takes its time once, also where its caller is ahead", "[tlm]") {
  const Timing timing = GENERATE(Timing::kAnalytic, Timing::kIdeal);
  const flitcast::RoutedNetwork network = mesh_network({2});
  InterconnectParams params = params_for(1, 1, 2);
  params.timing = timing;
  flitcast::tlm::Interconnect first("first", *network.topology, *network.routing, network_params(),
                                    params);
  params.timing = Timing::kCycle;  // This interconnect is a target that waits.
  flitcast::tlm::Interconnect second("second", *network.topology, *network.routing,
                                     network_params(), params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  sc_time total;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Bytes data(4);
    tlm_generic_payload payload;
    fill(payload, TLM_READ_COMMAND, 0, data);
    sc_time delay(1000, SC_NS);
    self.socket->b_transport(payload, delay);
    CHECK(payload.is_response_ok());
    total = sc_core::sc_time_stamp() + delay;
  });
  initiator.socket.bind(first.target_socket[0]);
  first.initiator_socket[0].bind(second.target_socket[0]);
  second.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start();
  const std::uint64_t cycles =
      1 + zero_load_latency(network, network_params(), NodeId{0}, NodeId{1}, 2) + 1 +
      zero_load_latency(network, network_params(), NodeId{1}, NodeId{0}, 3);
  CHECK(in_ns(total) == 1000 + (timing == Timing::kAnalytic ? 2 : 1) * cycles);
  CHECK(first.initiator(0).latency().max() == in_ns(total) - 1000);
  CHECK(first.target(0).latency().max() == cycles);
}

TEST_CASE("writes to several targets and addresses of none do not take estimates", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({4});
  InterconnectParams params = params_for(1, 2, 4);
  params.timing = Timing::kAnalytic;
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory near("near", kWindow, PhaseStyle::kTwoPhases);
  Memory far("far", kWindow, PhaseStyle::kTwoPhases);
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Bytes nothing(4);
    CHECK(self.access(TLM_READ_COMMAND, 2 * kWindow, nothing) == TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
    Bytes data = counting(4, 9);
    tlm_generic_payload payload;
    fill(payload, TLM_WRITE_COMMAND, 0x10, data);
    payload.set_extension(new flitcast::tlm::MulticastWrite({kWindow + 0x20}));
    sc_time delay = sc_core::SC_ZERO_TIME;
    self.socket->b_transport(payload, delay);
    CHECK(payload.is_response_ok());
    CHECK(delay == sc_core::SC_ZERO_TIME);
  });
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(near.socket);
  net.initiator_socket[1].bind(far.socket);
  sc_core::sc_start();
  CHECK(Bytes(near.bytes.begin() + 0x10, near.bytes.begin() + 0x14) == counting(4, 9));
  CHECK(Bytes(far.bytes.begin() + 0x20, far.bytes.begin() + 0x24) == counting(4, 9));
  CHECK(net.fabric().totals().packets_created == 4);
  CHECK(net.initiator(0).errors == 1);
  net.audit();
}

TEST_CASE("initiators that are far ahead of each other do not add up in estimates", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({4, 4});
  flitcast::tlm::LatencyEstimate estimate(*network.topology, network_params());
  // Three nodes send 18 flits every 200 cycles to one node. The estimate gets a million cycles of
  // the first node, then of the second, then of the third.
  double longest = 0;
  for (const std::uint32_t node : {0U, 5U, 10U}) {
    for (double now = 0; now < 1e6; now += 200) {
      const double least = static_cast<double>(
          zero_load_latency(network, network_params(), NodeId{node}, NodeId{15}, 18));
      longest = std::max(longest, estimate.latency(NodeId{node}, NodeId{15}, 18, now) - least);
    }
  }
  // Two queues at a utilisation of 0.27 and 0.09, at most, and a channel between routers.
  CHECK(longest < 6);
  CHECK(longest > 1);
}

TEST_CASE("direct memory has the latencies of the network, unless they are not modelled", "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.limits.forward_dmi = true;
  params.timing = GENERATE(Timing::kCycle, Timing::kAnalytic, Timing::kIdeal);
  Pair pair(params);
  pair.memory.dmi = true;
  LtInitiator initiator("initiator", [](LtInitiator&) {});
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1, SC_NS);
  tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(0x10);
  tlm_dmi region;
  REQUIRE(initiator.socket->get_direct_mem_ptr(payload, region));
  const auto time = [&](std::uint32_t request, std::uint32_t response) {
    if (params.timing == Timing::kIdeal) return std::uint64_t{0};
    return 2 + zero_load_latency(pair.network, network_params(), NodeId{0}, NodeId{1}, request) +
           zero_load_latency(pair.network, network_params(), NodeId{1}, NodeId{0}, response);
  };
  CHECK(in_ns(region.get_read_latency()) == time(2, 3));
  CHECK(in_ns(region.get_write_latency()) == time(3, 2));
  pair.net.set_timing(Timing::kCycle);
  CHECK(initiator.invalidated ==
        std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>>{{0, ~sc_dt::uint64{0}}});
}
