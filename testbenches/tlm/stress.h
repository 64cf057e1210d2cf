// SPDX-License-Identifier: Apache-2.0
// 64 initiators and 64 targets on an 8x8 mesh under random load.
#pragma once

#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

namespace flitcast::testing {

constexpr std::uint32_t kNodes = 64;
constexpr unsigned kWords = 16;  // Words of every initiator in every memory.

/// Keeps several transactions in flight to random words in all memories, which no other initiator
/// uses. It knows the value that was written last, because accesses to one target keep the order in
/// which they were sent.
class RandomInitiator {
 public:
  RandomInitiator(std::uint32_t number, std::uint64_t count, Payloads& payloads)
      : at(("initiator_" + std::to_string(number)).c_str(),
           number % 2 == 0 ? EndStyle::kCall : EndStyle::kCompleted),
        number_(number),
        left_(count),
        payloads_(payloads),
        random_(Random::stream(7, number)) {
    at.ended = [this](Payload& payload) { verify(payload); };
  }

  void start(unsigned at_once) {
    for (unsigned k = 0; k < at_once; ++k) send();
  }

  AtInitiator at;
  std::uint64_t wrong = 0;
  std::uint64_t finished = 0;

 private:
  void send() {
    if (left_ == 0) return;
    --left_;
    const std::uint64_t target = random_.below(kNodes);
    const std::uint64_t word = number_ * kWords + random_.below(kWords);
    const std::uint64_t address = target * kWindow + 4 * word;
    const bool write = random_.below(2) == 0;
    auto& payload =
        payloads_.make(write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND, address, 4);
    auto& value = values_[target * kWords + word % kWords];
    if (write) {
      value = static_cast<std::uint32_t>(random_.next());
      std::memcpy(payload.get_data_ptr(), &value, 4);
    } else {
      payload.note = value;
    }
    at.send(payload);
  }

  void verify(const Payload& payload) {
    ++finished;
    at.answers.clear();
    if (!payload.is_response_ok()) ++wrong;
    if (payload.is_read()) {
      std::uint32_t value = 0;
      std::memcpy(&value, payload.get_data_ptr(), 4);
      if (value != static_cast<const Payloads::Payload&>(payload).note) ++wrong;
    }
    send();
  }

  const std::uint32_t number_;
  std::uint64_t left_;
  Payloads& payloads_;
  Random random_;
  std::vector<std::uint32_t> values_ = std::vector<std::uint32_t>(kNodes * kWords);
};

/// The results of a run.
struct StressOutcome {
  std::uint64_t wrong = 0;        ///< Errors, and reads that do not return the last written data.
  bool stood_still = false;       ///< True if no transaction completed within some microsecond.
  std::size_t held = 0;           ///< Payloads that were not released.
  std::size_t early_records = 0;  ///< Records of transactions in memory after a microsecond.
  std::size_t records = 0;        ///< Records of transactions in memory at the end.
  std::uint64_t cycles = 0;
  double processor_seconds = 0;
};

/// Runs `count` transactions, eight per initiator at a time, and audits the network.
inline StressOutcome run_transactions(std::uint64_t count, bool checked) {
  const RoutedNetwork network = mesh_network({8, 8});
  tlm::InterconnectParams params = params_for(kNodes, kNodes, kNodes);
  params.check_protocol = checked;
  tlm::Interconnect<> net("net", *network.topology, *network.routing, network_params(), params);
  Payloads payloads;
  std::vector<std::unique_ptr<RandomInitiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    initiators.push_back(std::make_unique<RandomInitiator>(n, count / kNodes, payloads));
    initiators[n]->at.socket.bind(net.target_socket[n]);
    const std::string name = "memory_" + std::to_string(n);
    memories.push_back(std::make_unique<Memory>(name.c_str(), kWindow,
                                                static_cast<PhaseStyle>(n % 5),
                                                sc_core::sc_time(n % 7, sc_core::SC_NS)));
    net.initiator_socket[n].bind(memories[n]->socket);
  }
  StressOutcome outcome;
  const std::clock_t begin = std::clock();
  for (auto& initiator : initiators) initiator->start(8);
  const auto finished = [&] {
    std::uint64_t sum = 0;
    for (const auto& initiator : initiators) sum += initiator->finished;
    return sum;
  };
  while (finished() < count / kNodes * kNodes && !outcome.stood_still) {
    const std::uint64_t before = finished();
    sc_core::sc_start(1, sc_core::SC_US);
    outcome.stood_still = finished() == before;
    if (outcome.early_records == 0) outcome.early_records = net.most_outstanding();
    for (auto& memory : memories) memory->accesses.clear();
  }
  outcome.processor_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  sc_core::sc_start(100, sc_core::SC_NS);  // Lets the last END_REQ and the last credits pass.
  for (const auto& initiator : initiators) outcome.wrong += initiator->wrong;
  outcome.held = payloads.in_use();
  outcome.records = net.most_outstanding();
  outcome.cycles = index(net.fabric().now());
  net.audit();
  return outcome;
}

}  // namespace flitcast::testing
