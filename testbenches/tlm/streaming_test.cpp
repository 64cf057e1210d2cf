// SPDX-License-Identifier: Apache-2.0
// Transactions that are split, in targets in which an access takes effect some time after its call.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::Random;
using flitcast::tlm::InterconnectParams;
using flitcast::tlm::MulticastWrite;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace ::tlm;

namespace {

/// A memory in which an access takes effect after a while, which is shorter for every access.
struct HurryingMemory : Memory {
  using Memory::Memory;
  void b_transport(Payload& payload, sc_time& delay) override {
    sc_core::wait(next());
    Memory::b_transport(payload, delay);
  }
  tlm_sync_enum nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) override {
    sc_time effect = phase == BEGIN_REQ ? delay + next() : delay;
    const tlm_sync_enum status = Memory::nb_transport_fw(payload, phase, effect);
    if (!ends_at_once) delay = effect;
    return status;
  }
  sc_time next() { return {static_cast<double>(400 >> calls++), SC_NS}; }
  unsigned calls = 0;
  /// Requests of nb_transport end when they begin, not with their effect, so others come meanwhile.
  bool ends_at_once = false;
};

/// An interconnect of initiators at the first nodes of a row, and a HurryingMemory at the last.
struct HurryingRow {
  HurryingRow(std::uint32_t initiators, unsigned burst_bytes)
      : network(mesh_network({initiators + 1})),
        net("net", *network.topology, *network.routing, network_params(),
            params(initiators, burst_bytes)) {
    net.initiator_socket[0].bind(memory.socket);
  }
  static InterconnectParams params(std::uint32_t initiators, unsigned burst_bytes) {
    InterconnectParams params = params_for(initiators, 1, initiators + 1);
    params.limits.burst_bytes = burst_bytes;
    return params;
  }
  Bytes bytes(std::size_t from, std::size_t count) const {
    return {memory.bytes.begin() + static_cast<std::ptrdiff_t>(from),
            memory.bytes.begin() + static_cast<std::ptrdiff_t>(from + count)};
  }

  const flitcast::RoutedNetwork network;
  flitcast::tlm::Interconnect<> net;
  HurryingMemory memory{"memory", kWindow, PhaseStyle::kTwoPhases};
};

/// Writes data with a streaming width by b_transport, to further addresses, too.
tlm_response_status stream(LtInitiator& initiator, std::uint64_t address, Bytes data,
                           unsigned width, const std::vector<std::uint64_t>& further = {}) {
  Payload payload;
  payload.set_command(TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(width);
  MulticastWrite others;
  others.addresses = further;
  if (!further.empty()) payload.set_extension(&others);
  sc_time delay = SC_ZERO_TIME;
  initiator.socket->b_transport(payload, delay);
  payload.clear_extension(&others);
  return payload.get_response_status();
}

}  // namespace

TEST_CASE("the parts of a streaming write take effect in order in a target that blocks", "[tlm]") {
  const unsigned burst_bytes = GENERATE(4U, 8U, 12U, 16U, 1024U);
  const unsigned width = GENERATE(4U, 8U, 24U);
  HurryingRow row(1, burst_bytes);
  LtInitiator initiator("initiator",
                        [&](LtInitiator& self) { stream(self, 0x100, counting(72, 0), width); });
  initiator.socket.bind(row.net.target_socket[0]);
  sc_core::sc_start();
  CHECK(initiator.done);
  CHECK(row.bytes(0x100, width) == counting(width, 72 - width));
  row.net.audit();
}

TEST_CASE(
    "the parts of a streaming write of nb_transport take effect in order, and a write after it",
    "[tlm]") {
  const bool followed = GENERATE(false, true);
  HurryingRow row(1, GENERATE(4U, 8U, 16U));
  row.memory.ends_at_once = !followed;
  Payloads payloads;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(row.net.target_socket[0]);
  Payloads::Payload& streaming = payloads.make(TLM_WRITE_COMMAND, 0x100, 64);
  streaming.data = counting(64, 0);
  streaming.set_data_ptr(streaming.data.data());
  streaming.set_streaming_width(8);
  initiator.send(streaming);
  Payloads::Payload& later = payloads.make(TLM_WRITE_COMMAND, 0x100, 4);
  later.data = counting(4, 200);
  later.set_data_ptr(later.data.data());
  if (followed) initiator.send(later);
  sc_core::sc_start();
  Bytes wanted = counting(8, 56);
  if (followed) std::copy(later.data.begin(), later.data.end(), wanted.begin());
  CHECK(row.bytes(0x100, 8) == wanted);
  CHECK(initiator.answers.size() == (followed ? 2 : 1));
  row.net.audit();
}

TEST_CASE("parts with separate addresses are in a target at once", "[tlm]") {
  HurryingRow row(1, 16);
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.write(0, counting(64, 0)); });
  initiator.socket.bind(row.net.target_socket[0]);
  sc_core::sc_start();
  REQUIRE(row.memory.accesses.size() == 4);
  CHECK(row.memory.accesses.front().at > row.memory.accesses.back().at - sc_time(400, SC_NS));
  CHECK(sc_core::sc_time_stamp() < sc_time(500, SC_NS));
  CHECK(row.bytes(0, 64) == counting(64, 0));
}

TEST_CASE("a target that blocks in a streaming write is called for another", "[tlm]") {
  HurryingRow row(2, 16);
  row.memory.silent = true;
  LtInitiator first("first", [](LtInitiator& self) { stream(self, 0, counting(64, 0), 16); });
  LtInitiator second("second", [](LtInitiator& self) { stream(self, 64, counting(64, 0), 16); });
  first.socket.bind(row.net.target_socket[0]);
  second.socket.bind(row.net.target_socket[1]);
  sc_core::sc_start(2000, SC_NS);
  REQUIRE(row.memory.accesses.size() == 2);
  CHECK(row.memory.accesses[0].address + row.memory.accesses[1].address == 64);
}

TEST_CASE("each copy of a streaming multicast takes effect in order", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3});
  InterconnectParams params = params_for(1, 2, 3);
  params.limits.burst_bytes = 8;
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  HurryingMemory near("near", kWindow, PhaseStyle::kTwoPhases);
  HurryingMemory far("far", kWindow, PhaseStyle::kTwoPhases);
  net.initiator_socket[0].bind(near.socket);
  net.initiator_socket[1].bind(far.socket);
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    CHECK(stream(self, 0, counting(32, 0), 8, {kWindow}) == TLM_OK_RESPONSE);
  });
  initiator.socket.bind(net.target_socket[0]);
  sc_core::sc_start();
  CHECK(initiator.done);
  for (const Memory* memory : {&near, &far}) {
    CHECK(Bytes(&memory->bytes[0], &memory->bytes[8]) == counting(8, 24));
  }
}

TEST_CASE("a streaming width of 0 counts as none", "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.limits.burst_bytes = 16;
  params.check_protocol = false;
  Pair pair(params);
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    CHECK(stream(self, 0x100, counting(64, 1), 0) == TLM_OK_RESPONSE);
    CHECK(stream(self, kWindow - 4, counting(64, 1), 0) == TLM_ADDRESS_ERROR_RESPONSE);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start();
  CHECK(initiator.done);
  CHECK(Bytes(&pair.memory.bytes[0x100], &pair.memory.bytes[0x140]) == counting(64, 1));
}

namespace {

/// A memory in which an access takes effect after a random time.
struct SlowMemory : Memory {
  SlowMemory(const sc_core::sc_module_name& module_name, unsigned number)
      : Memory(module_name, kWindow, PhaseStyle::kTwoPhases), random(Random::stream(3, number)) {}
  void b_transport(Payload& payload, sc_time& delay) override {
    sc_core::wait(some_time());
    Memory::b_transport(payload, delay);
    delay += some_time();
  }
  tlm_sync_enum nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) override {
    if (phase == BEGIN_REQ) delay += some_time();
    return Memory::nb_transport_fw(payload, phase, delay);
  }
  sc_time some_time() { return {static_cast<double>(random.below(60)), SC_NS}; }
  Random random;
};

/// Draws accesses to 128 bytes that no other process uses, and knows what they return.
class Drawn {
 public:
  Drawn(std::uint64_t seed, std::uint32_t number)
      : random_(Random::stream(seed, number)), base_(number * kBytes) {}

  void prepare(Payload& payload) {
    const auto below = [this](unsigned bound) {
      return static_cast<unsigned>(random_.below(bound));
    };
    const unsigned length = 1 + below(kBytes / 2);
    const unsigned offset = below(kBytes - length);
    data_ = counting(length, below(256));
    enables_.assign(below(3) == 0 ? 1 + below(9) : 0, TLM_BYTE_DISABLED);
    for (unsigned char& enable : enables_)
      enable = below(2) == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED;
    const unsigned width = 1 + below(2 * length);
    const bool write = below(2) == 0;
    payload.set_command(write ? TLM_WRITE_COMMAND : TLM_READ_COMMAND);
    payload.set_address(below(2) * kWindow + base_ + offset);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(length);
    payload.set_streaming_width(width);
    payload.set_byte_enable_ptr(enables_.empty() ? nullptr : enables_.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables_.size()));
    payload.set_response_status(TLM_INCOMPLETE_RESPONSE);
    wanted_ = data_;
    for (unsigned b = 0; b < length; ++b) {
      unsigned char& cell = known_[payload.get_address() / kWindow][offset + b % width];
      if (!enables_.empty() && enables_[b % enables_.size()] != TLM_BYTE_ENABLED) continue;
      (write ? cell : wanted_[b]) = write ? data_[b] : cell;
    }
  }
  void verify(const Payload& payload) {
    ++accesses;
    wrong += payload.is_response_ok() && data_ == wanted_ ? 0 : 1;
  }

  unsigned accesses = 0;
  unsigned wrong = 0;

 private:
  static constexpr unsigned kBytes = 128;
  Random random_;
  const unsigned base_;
  Bytes known_[2] = {Bytes(kBytes), Bytes(kBytes)};
  Bytes data_;
  Bytes wanted_;
  Bytes enables_;
};

constexpr unsigned kAccesses = 60;

/// Makes the accesses one after the other by b_transport.
struct DrawnLt : Drawn {
  DrawnLt(std::uint64_t seed, std::uint32_t number)
      : Drawn(seed, number),
        initiator(sc_core::sc_gen_unique_name("lt"), [this](LtInitiator& self) {
          while (accesses < kAccesses) {
            Payload payload;
            sc_time delay = SC_ZERO_TIME;
            prepare(payload);
            self.socket->b_transport(payload, delay);
            verify(payload);
          }
        }) {}
  LtInitiator initiator;
};

/// Makes them by nb_transport.
struct DrawnAt : Drawn {
  DrawnAt(std::uint64_t seed, std::uint32_t number)
      : Drawn(seed, number), initiator(sc_core::sc_gen_unique_name("at"), EndStyle::kCall) {
    initiator.ended = [this](Payload& payload) {
      verify(payload);
      if (accesses < kAccesses) send();
    };
    send();
  }
  void send() {
    Payloads::Payload& payload = payloads.make(TLM_READ_COMMAND, 0, 0);
    prepare(payload);
    initiator.send(payload);
  }
  Payloads payloads;
  AtInitiator initiator;
};

}  // namespace

TEST_CASE("drawn accesses of several initiators read what they wrote, however they are split",
          "[tlm]") {
  const auto seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{4}));
  const unsigned burst_bytes = GENERATE(0U, 1U, 3U, 8U, 17U, 1024U);
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(6, 2, 9);
  params.limits.burst_bytes = burst_bytes;
  params.limits.outstanding = 1 + seed;
  flitcast::tlm::Interconnect<> net("net", *network.topology, *network.routing, network_params(),
                                    params);
  SlowMemory low("low", 0), high("high", 1);
  net.initiator_socket[0].bind(low.socket);
  net.initiator_socket[1].bind(high.socket);
  std::vector<std::unique_ptr<DrawnLt>> blocking;
  std::vector<std::unique_ptr<DrawnAt>> phased;
  for (std::uint32_t i = 0; i < 3; ++i) {
    blocking.push_back(std::make_unique<DrawnLt>(seed, i));
    blocking[i]->initiator.socket.bind(net.target_socket[i]);
    phased.push_back(std::make_unique<DrawnAt>(seed, 3 + i));
    phased[i]->initiator.socket.bind(net.target_socket[3 + i]);
  }
  sc_core::sc_start();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(blocking[i]->accesses == kAccesses);
    CHECK(blocking[i]->wrong == 0);
    CHECK(phased[i]->accesses == kAccesses);
    CHECK(phased[i]->wrong == 0);
    CHECK(phased[i]->payloads.in_use() == 0);
  }
  net.audit();
}
