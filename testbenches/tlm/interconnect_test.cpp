// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect.h"

#include <tlm_utils/simple_target_socket.h>

#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::tlm::InterconnectParams;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace ::tlm;

namespace {

/// Writes data and reads it back, at each of several addresses.
void exercise(LtInitiator& self, std::uint64_t base, unsigned seed, Bytes& wrong) {
  for (unsigned k = 0; k < 8; ++k) {
    const Bytes data = counting(1 + 5 * k, seed + k);
    const std::uint64_t address = base + 64 * k;
    if (self.write(address, data) != TLM_OK_RESPONSE) wrong.push_back(1);
    if (self.read(address, static_cast<unsigned>(data.size())) != data) wrong.push_back(2);
  }
}

/// A target that implements one of the transports and leaves the other one to its socket.
class OneTransport : public sc_core::sc_module {
 public:
  OneTransport(const sc_core::sc_module_name& module_name, bool blocking) : sc_module(module_name) {
    if (blocking) {
      socket.register_b_transport(this, &OneTransport::block);
    } else {
      socket.register_nb_transport_fw(this, &OneTransport::forward);
    }
  }

  tlm_utils::simple_target_socket<OneTransport> socket{"socket"};

 private:
  static void answer(Payload& payload) {
    if (payload.is_read()) payload.get_data_ptr()[0] = 42;
    payload.set_response_status(TLM_OK_RESPONSE);
  }
  void block(Payload& payload, sc_time&) {
    sc_core::wait(5, SC_NS);
    answer(payload);
  }
  tlm_sync_enum forward(Payload& payload, tlm_phase& phase, sc_time&) {
    if (phase != BEGIN_REQ) return TLM_ACCEPTED;
    answer(payload);
    return TLM_COMPLETED;
  }
};

}  // namespace

TEST_CASE("a target may leave either transport to its socket", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(2, 2, 9));
  Bytes seen;
  LtInitiator blocking("blocking", [&](LtInitiator& self) {
    seen.push_back(self.read(0, 4)[0]);
    seen.push_back(self.read(kWindow, 4)[0]);
  });
  AtInitiator calling("calling", EndStyle::kCall);
  calling.ended = [&](Payload& payload) { seen.push_back(payload.get_data_ptr()[0]); };
  OneTransport first("first", true);
  OneTransport second("second", false);
  blocking.socket.bind(net.target_socket[0]);
  calling.socket.bind(net.target_socket[1]);
  net.initiator_socket[0].bind(first.socket);
  net.initiator_socket[1].bind(second.socket);
  Payloads payloads;
  calling.send(payloads.make(TLM_READ_COMMAND, 0, 4));
  calling.send(payloads.make(TLM_READ_COMMAND, kWindow, 4));
  sc_core::sc_start(500, SC_NS);
  CHECK(seen == Bytes(4, 42));
  CHECK(payloads.in_use() == 0);
  net.audit();
}

TEST_CASE("loosely timed initiators read what they wrote, from any kind of target", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(2, 2, 9));
  Bytes wrong;
  LtInitiator first("first", [&](LtInitiator& self) {
    exercise(self, 0x0, 1, wrong);
    exercise(self, kWindow, 2, wrong);
  });
  LtInitiator second("second", [&](LtInitiator& self) {
    exercise(self, 0x800, 3, wrong);
    exercise(self, kWindow + 0x800, 4, wrong);
  });
  Memory slow("slow", kWindow, PhaseStyle::kFourPhases, sc_time(20, SC_NS));
  Memory fast("fast", kWindow, PhaseStyle::kCompleted);
  first.socket.bind(net.target_socket[0]);
  second.socket.bind(net.target_socket[1]);
  net.initiator_socket[0].bind(slow.socket);
  net.initiator_socket[1].bind(fast.socket);
  sc_core::sc_start(5000, SC_NS);
  CHECK(first.done);
  CHECK(second.done);
  CHECK(wrong.empty());
  CHECK(net.initiator(0).reads() == 16);
  CHECK(net.initiator(0).writes() == 16);
  CHECK(net.target(1).transactions() == 32);
  CHECK(net.initiator(0).errors == 0);
  net.audit();
}

TEST_CASE("approximately timed initiators of any style talk to targets of any style", "[tlm]") {
  const auto end_style = GENERATE(EndStyle::kCall, EndStyle::kUpdated, EndStyle::kCompleted);
  const auto phase_style =
      GENERATE(PhaseStyle::kCompleted, PhaseStyle::kUpdatedToResponse, PhaseStyle::kTwoPhases,
               PhaseStyle::kThreePhases, PhaseStyle::kFourPhases);
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(2, 1, 9));
  AtInitiator first("first", end_style, sc_time(2, SC_NS));
  AtInitiator second("second", end_style);
  Memory memory("memory", kWindow, phase_style, sc_time(7, SC_NS));
  first.socket.bind(net.target_socket[0]);
  second.socket.bind(net.target_socket[1]);
  net.initiator_socket[0].bind(memory.socket);
  Payloads payloads;
  Bytes wrong;
  first.ended = second.ended = [&](Payload& payload) {
    if (!payload.is_response_ok()) wrong.push_back(1);
    if (payload.is_write()) return;
    if (payload.get_data_ptr()[0] != payload.get_address() / 8 % 256) wrong.push_back(2);
  };
  for (unsigned k = 0; k < 40; ++k) {
    for (AtInitiator* initiator : {&first, &second}) {
      const std::uint64_t address = 8 * k + (initiator == &first ? 0 : 0x800);
      auto& write = payloads.make(TLM_WRITE_COMMAND, address, 4);
      write.data.assign(4, static_cast<unsigned char>(address / 8 % 256));
      initiator->send(write, sc_time(k % 3, SC_NS));
      initiator->send(payloads.make(TLM_READ_COMMAND, address, 4));
    }
  }
  sc_core::sc_start(20000, SC_NS);
  CHECK(first.answers.size() == 80);
  CHECK(second.answers.size() == 80);
  CHECK(wrong.empty());
  CHECK(payloads.in_use() == 0);
  CHECK(net.outstanding() == 0);
  net.audit();
}

TEST_CASE("the initiator sees its own address in the response, the target its offset", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({2});
  InterconnectParams params = params_for(1, 1, 2);
  params.windows = {{0x10000, 0x100, 0, 0x20}};
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  AtInitiator initiator("initiator", EndStyle::kCall);
  Memory memory("memory", 0x200, PhaseStyle::kTwoPhases);
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  Payloads payloads;
  initiator.send(payloads.make(TLM_READ_COMMAND, 0x10004, 4));
  sc_core::sc_start(200, SC_NS);
  REQUIRE(initiator.answers.size() == 1);
  CHECK(initiator.answers[0].address == 0x10004);
  CHECK(memory.accesses[0].address == 0x24);
}

TEST_CASE("a simulation ends by itself when nothing is left to do, long before a time-out",
          "[tlm]") {
  Pair pair;
  std::vector<double> cycles;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (const double pause : {0.0, 1.0, 7.5, 1000.0}) {
      sc_core::wait(pause, SC_NS);
      const sc_time begin = sc_core::sc_time_stamp();
      self.read(0, 4);
      cycles.push_back((sc_core::sc_time_stamp() - begin) / sc_time(1, SC_NS));
    }
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start();
  CHECK(initiator.done);
  REQUIRE(cycles.size() == 4);
  CHECK(cycles[1] == cycles[0]);
  CHECK(cycles[2] == cycles[0] - 0.5);  // It began half a cycle before an edge.
  CHECK(cycles[3] == cycles[0]);
  CHECK(sc_core::sc_time_stamp() < sc_time(2000, SC_NS));
  CHECK(flitcast::index(pair.net.fabric().now()) < 400);  // It stopped during the long pause.
  pair.net.audit();
}
