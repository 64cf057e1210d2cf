// SPDX-License-Identifier: Apache-2.0
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/problem.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::NodeId;
using flitcast::zero_load_latency;
using flitcast::tlm::InterconnectParams;
using sc_core::SC_NS;
using sc_core::sc_time;
using namespace ::tlm;

namespace {

constexpr unsigned kWord = 4;
constexpr std::uint32_t kNodes = 9;

/// A packet has two flits of header and one more for each beat of data.
std::uint32_t flits(bool with_data, unsigned beats) { return 2 + (with_data ? beats : 0); }

/// The time of a transaction that is alone in the network: each of its packets is created in the
/// cycle after it was sent and takes its latency in any network, hops times pipeline plus
/// serialisation.
std::uint64_t expected(const flitcast::RoutedNetwork& network, NodeId initiator, NodeId target,
                       tlm_command command, unsigned beats, std::uint64_t target_cycles) {
  const flitcast::NetworkParams params = network_params();
  const std::uint32_t request = flits(command == TLM_WRITE_COMMAND, beats);
  const std::uint32_t response = flits(command == TLM_READ_COMMAND, beats);
  return 1 + zero_load_latency(network, params, initiator, target, request) + target_cycles + 1 +
         zero_load_latency(network, params, target, initiator, response);
}

/// A target that waits for a given time in every transaction.
struct Sleeper : sc_core::sc_module {
  explicit Sleeper(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    socket.register_b_transport(this, &Sleeper::sleep);
  }
  void sleep(Payload& payload, sc_time&) {
    sc_core::wait(latency);
    payload.set_response_status(TLM_OK_RESPONSE);
  }

  tlm_utils::simple_target_socket<Sleeper> socket{"socket"};
  sc_time latency;
};

}  // namespace

TEST_CASE("a transaction alone takes hops times pipeline plus serialisation, both ways", "[tlm]") {
  const auto place = static_cast<std::uint32_t>(GENERATE(0, 1, 4, 8));
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(1, 1, kNodes);
  params.placement.targets = {NodeId{place}};
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases, sc_time(11, SC_NS));
  struct Seen {
    unsigned beats;
    tlm_command command;
    double cycles;
  };
  std::vector<Seen> seen;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (unsigned beats = 1; beats <= 64; ++beats) {
      for (const tlm_command command : {TLM_READ_COMMAND, TLM_WRITE_COMMAND}) {
        Bytes data(beats * kWord);
        const sc_time begin = sc_core::sc_time_stamp();
        self.access(command, 0, data);
        seen.push_back({beats, command, (sc_core::sc_time_stamp() - begin) / sc_time(1, SC_NS)});
        sc_core::wait(50, SC_NS);
      }
    }
  });
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start(100000, SC_NS);
  REQUIRE(seen.size() == 128);
  for (const Seen& one : seen) {
    INFO(one.beats << " beats, command " << one.command);
    REQUIRE(one.cycles == static_cast<double>(expected(network, NodeId{0}, NodeId{place},
                                                       one.command, one.beats, 11)));
  }
}

TEST_CASE("the time of a target or a pause does not affect the network", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::NetworkParams slow = network_params();
  slow.cycles_per_flit = GENERATE(1U, 40U);
  InterconnectParams params = params_for(1, 1, kNodes);
  params.placement.targets = {NodeId{1}};
  params.format.flit_bytes = GENERATE(4U, 64U);
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, slow, params);
  Sleeper target("target");
  std::vector<double> cycles;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (unsigned k = 0; k < 120; ++k) {
      target.latency = sc_time(k, SC_NS);
      const sc_time begin = sc_core::sc_time_stamp();
      self.read(0, kWord);
      cycles.push_back((sc_core::sc_time_stamp() - begin - target.latency) / sc_time(1, SC_NS));
      sc_core::wait(50 + k, SC_NS);
    }
  });
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(target.socket);
  sc_core::sc_start();
  CHECK(cycles == std::vector<double>(120, cycles.at(0)));
}

TEST_CASE("cycles are at whole periods, whenever a request wakes the network", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(1, 1, kNodes);
  params.placement.targets = {NodeId{1}};
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  const sc_time period(1, SC_NS);
  std::vector<sc_time> begins;
  std::vector<sc_time> ends;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (int k = 1; k < 10; ++k) {
      sc_core::wait(100 + 0.1 * k, SC_NS);  // The network is idle again.
      begins.push_back(sc_core::sc_time_stamp());
      self.read(0, kWord);
      ends.push_back(sc_core::sc_time_stamp());
    }
  });
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start();
  const std::uint64_t cycles = expected(network, NodeId{0}, NodeId{1}, TLM_READ_COMMAND, 1, 0);
  REQUIRE(ends.size() == 9);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    INFO("from " << begins[k] << " to " << ends[k]);
    CHECK(begins[k] % period != sc_core::SC_ZERO_TIME);
    CHECK(ends[k] == begins[k] - begins[k] % period + static_cast<double>(cycles) * period);
  }
}

TEST_CASE("approximately timed, the same transaction takes the same time", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(1, 1, kNodes));
  AtInitiator initiator("initiator", EndStyle::kCall);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases, sc_time(11, SC_NS));
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  Payloads payloads;
  std::vector<std::uint64_t> wanted;
  for (const unsigned beats : {1U, 2U, 16U, 64U}) {
    for (const tlm_command command : {TLM_READ_COMMAND, TLM_WRITE_COMMAND}) {
      initiator.send(payloads.make(command, 0, beats * kWord));
      wanted.push_back(expected(network, NodeId{0}, NodeId{8}, command, beats, 11));
      sc_core::sc_start(500, SC_NS);
    }
  }
  REQUIRE(initiator.answers.size() == wanted.size());
  for (std::size_t a = 0; a < wanted.size(); ++a) {
    const auto& answer = initiator.answers[a];
    CHECK((answer.answered - answer.begun) / sc_time(1, SC_NS) == static_cast<double>(wanted[a]));
  }
  CHECK(net.initiator(0).latency().max() == wanted[6]);
  CHECK(net.target(0).latency().mean() == 11.0);
}

TEST_CASE("an annotated delay is time before the request", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0, kWord), sc_time(40, SC_NS));
  sc_core::sc_start(200, SC_NS);
  REQUIRE(pair.memory.accesses.size() == 1);
  const std::uint64_t request =
      zero_load_latency(pair.network, network_params(), NodeId{0}, NodeId{1}, 2);
  CHECK(pair.memory.accesses[0].at / sc_time(1, SC_NS) ==
        40.0 + 1.0 + static_cast<double>(request));
}

TEST_CASE("latency grows with load, as that of packets does", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(8, 1, kNodes);
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  net.initiator_socket[0].bind(memory.socket);
  std::vector<std::unique_ptr<AtInitiator>> initiators;
  Payloads payloads;
  for (std::size_t i = 0; i < 8; ++i) {
    initiators.push_back(std::make_unique<AtInitiator>(("initiator_" + std::to_string(i)).c_str(),
                                                       EndStyle::kCompleted));
    initiators.back()->socket.bind(net.target_socket[i]);
  }
  initiators[0]->send(payloads.make(TLM_READ_COMMAND, 0, 64));
  sc_core::sc_start(300, SC_NS);
  const std::uint64_t alone = net.initiator(0).latency().max();
  for (unsigned k = 0; k < 10; ++k) {
    for (auto& initiator : initiators) initiator->send(payloads.make(TLM_READ_COMMAND, 0, 64));
  }
  sc_core::sc_start(10000, SC_NS);
  // 80 responses of 18 flits leave the target's node over one channel.
  CHECK(net.initiator(0).latency().max() > alone + 18 * 40);
  CHECK(net.initiator(0).transactions() == 11);
  net.audit();
}

TEST_CASE("figures of the fabric include every cycle that has begun, whenever they are read",
          "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  initiator.send(pair.payloads.make(TLM_WRITE_COMMAND, 0, 64 * kWord));
  // The packet has 66 flits and is created at 1 ns; the tail arrives at 77 ns.
  for (std::uint64_t ns = 1; ns <= 80; ++ns) {
    sc_core::sc_start(1, SC_NS);
    const std::uint64_t injected = std::min<std::uint64_t>(ns - 1, 66);
    INFO("after " << ns << " ns");
    CHECK(pair.net.fabric().flits_injected(NodeId{0}) == injected);
  }
}

TEST_CASE("no packet arrives before its least time, in networks of every kind", "[tlm]") {
  const std::string topology = GENERATE(
      "topology: {kind: mesh, sizes: [3, 3]}\nrouting: {kind: valiant}\n",
      "topology: {kind: torus, sizes: [4, 3]}\nrouting: {kind: dimension_order}\n",
      "topology: {kind: fat_tree, arity: 3, levels: 2}\nrouting: {kind: nearest_common_ancestor}\n",
      "topology: {kind: complete, nodes: 9}\nrouting: {kind: shortest_path}\n",
      "topology: {kind: mesh, sizes: [3, 3]}\nrouting: {kind: dimension_order}\n"
      "link: {cycles_per_flit: 3, classes: {dimension_0: {latency: 7}}}\n");
  const std::string router =
      GENERATE("router: {kind: wormhole, virtual_channels: 4}\n",
               "router: {kind: wormhole, virtual_channels: 4, speculation: true}\n",
               "router: {kind: wormhole, virtual_channels: 4,\n"
               "         pipeline: {route: 0, vc_allocation: 0, traversal: 0}}\n",
               "router: {kind: virtual_cut_through, virtual_channels: 4, buffer_depth: 18}\n",
               "router: {kind: store_and_forward, virtual_channels: 4, buffer_depth: 3}\n");
  const flitcast::TemporaryFile file(
      topology + router +
      "tlm: {initiators: [0, 1, 2, 3], targets: [8, 4, 2, 0], burst_bytes: 64,\n"
      "      windows: '0 4K 0, 4K 4K 1, 8K 4K 2, 12K 4K 3'}\n");
  INFO(topology << router);
  std::unique_ptr<flitcast::tlm::Interconnect<>> net;
  try {
    net = std::make_unique<flitcast::tlm::Interconnect<>>("net", file.path());
  } catch (const flitcast::ConfigError& error) {
    FAIL(error.what());
  }
  Payloads payloads;
  std::vector<std::unique_ptr<AtInitiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    initiators.push_back(
        std::make_unique<AtInitiator>(("initiator_" + number).c_str(), EndStyle::kCompleted));
    memories.push_back(
        std::make_unique<Memory>(("memory_" + number).c_str(), kWindow, PhaseStyle::kTwoPhases));
    initiators[i]->socket.bind(net->target_socket[i]);
    net->initiator_socket[i].bind(memories[i]->socket);
  }
  for (unsigned k = 0; k < 60; ++k) {
    const tlm_command command = k % 3 == 0 ? TLM_READ_COMMAND : TLM_WRITE_COMMAND;
    initiators[k % 4]->send(payloads.make(command, (k / 4) % 4 * kWindow, kWord * (1 + k % 16)),
                            sc_time(k * k / 8, SC_NS));
  }
  sc_core::sc_start();
  std::uint64_t answered = 0;
  for (std::size_t i = 0; i < 4; ++i) answered += net->initiator(i).transactions();
  CHECK(answered == 60);
  net->audit();
}

TEST_CASE("with a clock of its own a transaction takes its cycles in periods of that clock",
          "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(1, 1, kNodes);
  const sc_time period = GENERATE(sc_time(0.8, SC_NS), sc_time(2.5, SC_NS), sc_time(7, SC_NS));
  params.period = period;
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  sc_time begin;
  sc_time end;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    sc_core::wait(101.3, SC_NS);
    begin = sc_core::sc_time_stamp();
    self.read(0, kWord);
    end = sc_core::sc_time_stamp();
  });
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start();
  const std::uint64_t cycles = expected(network, NodeId{0}, NodeId{8}, TLM_READ_COMMAND, 1, 0);
  CHECK(end == begin - begin % period + static_cast<double>(cycles) * period);
  CHECK(net.initiator(0).latency().max() == cycles - 1);  // Whole cycles after a start between two.
  nlohmann::ordered_json figures;
  net.write_figures(figures);
  CHECK(figures["initiators"][0]["latency_ns"]["mean"] ==
        figures["initiators"][0]["latency_ns"]["max"]);  // There is one transaction.
  CHECK(figures["initiators"][0]["latency_ns"]["max"].get<double>() ==
        Approx(static_cast<double>(cycles - 1) * (period / sc_time(1, SC_NS))));
}

TEST_CASE("networks of different clocks carry transactions one behind the other", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(1, 1, kNodes);
  flitcast::tlm::Interconnect first("first", *network.topology, *network.routing, network_params(),
                                    params);
  params.period = sc_time(2.5, SC_NS);
  flitcast::tlm::Interconnect second("second", *network.topology, *network.routing,
                                     network_params(), params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  Bytes back;
  sc_time spent;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    self.write(0x10, counting(8, 3));
    const sc_time begin = sc_core::sc_time_stamp();
    back = self.read(0x10, 8);
    spent = sc_core::sc_time_stamp() - begin;
  });
  initiator.socket.bind(first.target_socket[0]);
  first.initiator_socket[0].bind(second.target_socket[0]);
  second.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start();
  CHECK(back == counting(8, 3));
  const auto cycles =
      static_cast<double>(expected(network, NodeId{0}, NodeId{8}, TLM_READ_COMMAND, 2, 0));
  // Each network begins at its next edge, at most a period after the message.
  CHECK(spent > sc_time(3.5 * cycles - 3.5 * 2, SC_NS));
  CHECK(spent <= sc_time(3.5 * cycles, SC_NS));
  first.audit();
  second.audit();
}
