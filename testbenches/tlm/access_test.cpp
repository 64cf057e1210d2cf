// SPDX-License-Identifier: Apache-2.0
// Transactions as seen by a target, and responses as seen by an initiator.
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::NodeId;
using flitcast::tlm::InterconnectParams;
using flitcast::tlm::MulticastWrite;
using flitcast::tlm::Piece;
using flitcast::tlm::pieces_of;
using flitcast::tlm::Priority;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace ::tlm;

namespace {

InterconnectParams split_at(unsigned bytes) {
  InterconnectParams params = params_for(1, 1, 2);
  params.limits.burst_bytes = bytes;
  return params;
}

/// The expected effect on a memory that receives the pieces in order: the address of every byte.
std::vector<unsigned> addresses(unsigned bytes, unsigned width, unsigned most) {
  std::vector<unsigned> seen(bytes, ~0U);
  for (const Piece& piece : pieces_of(bytes, width, most)) {
    CHECK((most == 0 || piece.bytes <= most));
    const unsigned row = std::min(piece.streaming_width, piece.bytes);
    for (unsigned b = 0; b < piece.bytes; ++b) {
      CHECK(seen.at(piece.offset + b) == ~0U);
      seen[piece.offset + b] = piece.address_offset + b % row;
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("pieces cover every byte once, at the address that it had", "[tlm]") {
  for (const unsigned bytes : {1U, 7U, 8U, 9U, 31U, 64U}) {
    for (const unsigned width : {1U, 3U, 8U, 16U, 64U, 1000U}) {
      for (const unsigned most : {0U, 1U, 4U, 5U, 8U, 100U}) {
        INFO(bytes << " bytes, streaming width " << width << ", at most " << most);
        const std::vector<unsigned> seen = addresses(bytes, width, most);
        for (unsigned b = 0; b < bytes; ++b) REQUIRE(seen[b] == b % width);
      }
    }
  }
}

TEST_CASE("errors are answered without entering the network, in zero time", "[tlm]") {
  Pair pair;
  std::vector<tlm_response_status> seen;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Bytes word(4);
    Bytes bytes(8);
    seen = {self.access(TLM_READ_COMMAND, 2 * kWindow, word),
            self.access(TLM_WRITE_COMMAND, kWindow - 4, bytes),
            self.access(static_cast<tlm_command>(3), 0, word)};
    CHECK(sc_core::sc_time_stamp() == SC_ZERO_TIME);
    seen.push_back(self.access(TLM_IGNORE_COMMAND, 0, word));
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(200, SC_NS);
  CHECK(seen == std::vector<tlm_response_status>{TLM_ADDRESS_ERROR_RESPONSE,
                                                 TLM_ADDRESS_ERROR_RESPONSE,
                                                 TLM_COMMAND_ERROR_RESPONSE, TLM_OK_RESPONSE});
  CHECK(pair.memory.accesses.size() == 1);
  CHECK(pair.net.initiator(0).errors == 3);
}

TEST_CASE("an error of nb_transport ends the request before it begins the response", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  std::vector<tlm_response_status> seen;
  initiator.ended = [&](Payload& payload) { seen.push_back(payload.get_response_status()); };
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 2 * kWindow, 4));
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0, 4));
  sc_core::sc_start(200, SC_NS);
  CHECK(seen == std::vector<tlm_response_status>{TLM_ADDRESS_ERROR_RESPONSE, TLM_OK_RESPONSE});
  CHECK(pair.payloads.in_use() == 0);
  pair.net.audit();
}

TEST_CASE("long transactions are split for the target and gathered for the initiator", "[tlm]") {
  Pair pair(split_at(16));
  pair.memory.longest = 16;
  Bytes back;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    CHECK(self.write(0x10, counting(100, 1)) == TLM_OK_RESPONSE);
    back = self.read(0x10, 100);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1000, SC_NS);
  CHECK(back == counting(100, 1));
  CHECK(pair.memory.accesses.size() == 14);
  CHECK(pair.net.initiator(0).transactions() == 2);
  pair.net.audit();
}

TEST_CASE("a split transaction of nb_transport has one response, with the first error", "[tlm]") {
  InterconnectParams params = split_at(16);
  params.windows = {{0, 2 * kWindow, 0, 0}};
  Pair pair(params);
  AtInitiator initiator("initiator", EndStyle::kCompleted);
  initiator.socket.bind(pair.net.target_socket[0]);
  std::vector<tlm_response_status> seen;
  initiator.ended = [&](Payload& payload) { seen.push_back(payload.get_response_status()); };
  initiator.send(pair.payloads.make(TLM_WRITE_COMMAND, 0, 64));
  initiator.send(pair.payloads.make(TLM_WRITE_COMMAND, kWindow - 32, 64));
  sc_core::sc_start(1000, SC_NS);
  CHECK(seen == std::vector<tlm_response_status>{TLM_OK_RESPONSE, TLM_ADDRESS_ERROR_RESPONSE});
  CHECK(pair.payloads.in_use() == 0);
  pair.net.audit();
}

TEST_CASE("byte enables and streaming widths mean the same, split or not", "[tlm]") {
  const unsigned most = GENERATE(0U, 5U, 8U, 12U);
  Pair pair(split_at(most));
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Bytes data = counting(24, 1);
    Bytes enables{0xff, 0xff, 0};
    Payload payload;
    payload.set_command(TLM_WRITE_COMMAND);
    payload.set_address(0x100);
    payload.set_data_ptr(data.data());
    payload.set_data_length(24);
    payload.set_streaming_width(8);
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(3);
    sc_time delay = SC_ZERO_TIME;
    self.socket->b_transport(payload, delay);
    CHECK(payload.get_response_status() == TLM_OK_RESPONSE);
    CHECK(payload.get_byte_enable_length() == 3);
    CHECK(payload.get_streaming_width() == 8);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1000, SC_NS);
  // Rows 1..8, 9..16, 17..24; every third byte of the data is not written. The last write to a
  // column remains.
  const Bytes wanted{17, 10, 19, 20, 13, 22, 23, 16};
  CHECK(Bytes(&pair.memory.bytes[0x100], &pair.memory.bytes[0x108]) == wanted);
}

TEST_CASE("debug accesses take no time, keep the address and stop at the window's end", "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.windows = {{0x8000, 0x20, 0, 0x40}};
  Pair pair(params);
  LtInitiator initiator("initiator", [](LtInitiator&) {});
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1, SC_NS);
  auto& payload = pair.payloads.make(TLM_WRITE_COMMAND, 0x8010, 32);
  payload.data = counting(32, 1);
  payload.set_data_ptr(payload.data.data());
  CHECK(initiator.socket->transport_dbg(payload) == 16);
  CHECK(payload.get_address() == 0x8010);
  CHECK(payload.get_data_length() == 32);
  CHECK(pair.memory.bytes[0x50] == 1);
  CHECK(pair.memory.bytes[0x5f] == 16);
  CHECK(pair.memory.bytes[0x60] == 0);
  payload.set_address(0x9000);
  CHECK(initiator.socket->transport_dbg(payload) == 0);
  CHECK(sc_core::sc_time_stamp() == sc_time(1, SC_NS));
  CHECK(pair.net.initiator(0).debug_accesses == 2);
}

TEST_CASE("direct memory is denied unless it is wanted, with the hint", "[tlm]") {
  Pair pair;
  pair.memory.dmi = true;
  bool hint = true;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Payload payload;
    Bytes data(4);
    payload.set_read();
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_time delay = SC_ZERO_TIME;
    self.socket->b_transport(payload, delay);
    hint = payload.is_dmi_allowed();
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(200, SC_NS);
  CHECK_FALSE(hint);
  tlm_dmi region;
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  CHECK_FALSE(initiator.socket->get_direct_mem_ptr(payload, region));
  CHECK(region.is_none_allowed());
  CHECK(pair.net.initiator(0).dmi_denied == 1);
}

TEST_CASE("direct memory is mapped to the initiator's window and lost by invalidation", "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.windows = {{0x8000, 0x20, 0, 0x40}, {0x9000, 0x10, 0, 0x48}};
  params.limits.forward_dmi = true;
  Pair pair(params);
  pair.memory.dmi = true;
  LtInitiator initiator("initiator", [](LtInitiator&) {});
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1, SC_NS);
  tlm_dmi region;
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0x8010, 4);
  CHECK(initiator.socket->get_direct_mem_ptr(payload, region));
  CHECK(payload.get_address() == 0x8010);
  CHECK(region.get_start_address() == 0x8000);
  CHECK(region.get_end_address() == 0x801f);
  CHECK(region.get_dmi_ptr() == &pair.memory.bytes[0x40]);
  using Ranges = std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>>;
  pair.memory.socket->invalidate_direct_mem_ptr(0x44, 0x4b);
  CHECK(initiator.invalidated == Ranges{{0x8004, 0x800b}, {0x9000, 0x9003}});
  pair.memory.socket->invalidate_direct_mem_ptr(0, 0x3f);
  CHECK(initiator.invalidated.size() == 2);
}

TEST_CASE("a multicast write reaches all its targets before its response", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(1, 3, 9));
  std::vector<std::unique_ptr<Memory>> memories;
  for (std::size_t m = 0; m < 3; ++m) {
    memories.push_back(std::make_unique<Memory>(("memory_" + std::to_string(m)).c_str(), kWindow,
                                                PhaseStyle::kTwoPhases,
                                                sc_time(static_cast<double>(10 * m), SC_NS)));
    net.initiator_socket[m].bind(memories[m]->socket);
  }
  MulticastWrite others({kWindow + 8, 2 * kWindow + 16});
  Payloads payloads;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(net.target_socket[0]);
  std::vector<tlm_response_status> seen;
  initiator.ended = [&](Payload& payload) {
    seen.push_back(payload.get_response_status());
    payload.set_extension<MulticastWrite>(nullptr);
  };
  auto& write = payloads.make(TLM_WRITE_COMMAND, 0, 4);
  write.data = counting(4, 1);
  write.set_data_ptr(write.data.data());
  write.set_extension(&others);
  auto& read = payloads.make(TLM_READ_COMMAND, 0, 4);
  read.set_extension(&others);
  MulticastWrite nowhere({7 * kWindow});
  auto& lost = payloads.make(TLM_WRITE_COMMAND, 0x40, 4);
  lost.data = counting(4, 1);
  lost.set_extension(&nowhere);
  for (Payload* payload : {static_cast<Payload*>(&write), static_cast<Payload*>(&lost),
                           static_cast<Payload*>(&read)}) {
    initiator.send(*payload);
    sc_core::sc_start(300, SC_NS);
  }
  CHECK(seen == std::vector<tlm_response_status>{TLM_OK_RESPONSE, TLM_ADDRESS_ERROR_RESPONSE,
                                                 TLM_COMMAND_ERROR_RESPONSE});
  for (std::size_t m = 0; m < 3; ++m) {
    CHECK(Bytes(&memories[m]->bytes[8 * m], &memories[m]->bytes[8 * m + 4]) == counting(4, 1));
    REQUIRE(memories[m]->accesses.size() == 1);
    CHECK(initiator.answers[0].answered >
          memories[m]->accesses[0].at + sc_time(static_cast<double>(10 * m), SC_NS));
  }
  CHECK(payloads.in_use() == 0);
  net.audit();
}

TEST_CASE("the request of higher priority is served first", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(2, 1, 9));
  Memory memory("memory", kWindow, PhaseStyle::kFourPhases, sc_time(1, SC_NS));
  net.initiator_socket[0].bind(memory.socket);
  AtInitiator calm("calm", EndStyle::kCompleted);
  AtInitiator urgent("urgent", EndStyle::kCompleted);
  calm.socket.bind(net.target_socket[0]);
  urgent.socket.bind(net.target_socket[1]);
  Payloads payloads;
  Priority high(3);
  memory.silent = true;  // The first request blocks the channel, so the others queue.
  calm.send(payloads.make(TLM_READ_COMMAND, 0x0, 4));
  sc_core::sc_start(100, SC_NS);
  for (unsigned k = 1; k <= 3; ++k) calm.send(payloads.make(TLM_READ_COMMAND, k, 4));
  sc_core::sc_start(100, SC_NS);
  for (unsigned k = 1; k <= 2; ++k) {
    auto& payload = payloads.make(TLM_READ_COMMAND, 0x100 + k, 4);
    if (k == 2) payload.set_extension(&high);
    urgent.send(payload);
  }
  sc_core::sc_start(100, SC_NS);
  memory.silent = false;
  REQUIRE(memory.accesses.size() == 1);
  memory.accesses[0].payload->set_response_status(TLM_OK_RESPONSE);
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  memory.socket->nb_transport_bw(*memory.accesses[0].payload, phase, delay);
  urgent.ended = [](Payload& payload) { payload.set_extension<Priority>(nullptr); };
  sc_core::sc_start(500, SC_NS);
  std::vector<std::uint64_t> order;
  for (const auto& access : memory.accesses) order.push_back(access.address);
  // The request of high priority may not overtake an earlier one of its initiator, and waits with
  // it.
  CHECK(order == std::vector<std::uint64_t>{0, 1, 2, 3, 0x101, 0x102});
}

TEST_CASE("of responses that wait for one initiator that of higher priority begins first",
          "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(1, 1, 9));
  Memory memory("memory", kWindow, PhaseStyle::kFourPhases, sc_time(1, SC_NS));
  net.initiator_socket[0].bind(memory.socket);
  // The first response ends when the others have long arrived.
  AtInitiator initiator("initiator", EndStyle::kCall, sc_time(500, SC_NS));
  initiator.socket.bind(net.target_socket[0]);
  initiator.ended = [](Payload& payload) { payload.set_extension<Priority>(nullptr); };
  Payloads payloads;
  Priority high(3);
  for (unsigned k = 0; k < 4; ++k) {
    auto& payload = payloads.make(TLM_READ_COMMAND, k, 4);
    if (k == 2) payload.set_extension(&high);
    initiator.send(payload);
  }
  sc_core::sc_start(4000, SC_NS);
  std::vector<std::uint64_t> order;
  for (const auto& answer : initiator.answers) order.push_back(answer.address);
  CHECK(order == std::vector<std::uint64_t>{0, 2, 1, 3});
}

TEST_CASE("a streaming access fits in a window in which its repeated row fits", "[tlm]") {
  Pair pair;
  std::vector<tlm_response_status> seen;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (const std::uint64_t address : {kWindow - 8, kWindow - 7}) {
      auto& payload = pair.payloads.make(TLM_WRITE_COMMAND, address, 64);
      payload.set_streaming_width(8);
      sc_time delay = SC_ZERO_TIME;
      self.socket->b_transport(payload, delay);
      seen.push_back(payload.get_response_status());
      payload.release();
    }
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(400, SC_NS);
  CHECK(seen == std::vector<tlm_response_status>{TLM_OK_RESPONSE, TLM_ADDRESS_ERROR_RESPONSE});
}

TEST_CASE("a blocking access begins after the delay that its initiator has annotated", "[tlm]") {
  Pair pair;
  std::vector<sc_time> took;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    for (const double annotated : {0.0, 37.0}) {
      sc_core::wait(sc_time(1000, SC_NS) * static_cast<double>(took.size() + 1) -
                    sc_core::sc_time_stamp());
      auto& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
      sc_time delay(annotated, SC_NS);
      const sc_time begun = sc_core::sc_time_stamp();
      self.socket->b_transport(payload, delay);
      took.push_back(sc_core::sc_time_stamp() + delay - begun);
      payload.release();
    }
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(3000, SC_NS);
  REQUIRE(took.size() == 2);
  CHECK(took[1] == took[0] + sc_time(37, SC_NS));
}

TEST_CASE("ignorable phases pass between an initiator and the target that has its request",
          "[tlm]") {
  const tlm_phase extra(17);
  Pair pair;
  pair.memory.silent = true;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0x10, 4);
  initiator.send(payload);
  const auto call = [&](auto& socket, auto transport) {
    tlm_phase phase = extra;
    sc_time delay = SC_ZERO_TIME;
    return ((*socket.operator->()).*transport)(payload, phase, delay);
  };
  const auto forward = [&] {
    return call(initiator.socket, &tlm_fw_transport_if<>::nb_transport_fw);
  };
  sc_core::sc_start(2, SC_NS);
  CHECK(forward() == TLM_ACCEPTED);
  CHECK(pair.memory.ignorable_phases.empty());  // The target does not know the payload yet.
  sc_core::sc_start(100, SC_NS);
  CHECK(forward() == TLM_ACCEPTED);
  CHECK(call(pair.memory.socket, &tlm_bw_transport_if<>::nb_transport_bw) == TLM_ACCEPTED);
  CHECK(pair.memory.ignorable_phases == std::vector<unsigned>{17});
  CHECK(initiator.ignorable_phases == std::vector<unsigned>{17});
  CHECK(pair.net.initiator(0).phases_ignored == 0);
}
