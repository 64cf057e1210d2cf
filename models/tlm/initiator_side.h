// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm/address_map.h"
#include "tlm/agenda.h"
#include "tlm/exchange.h"
#include "tlm/ledger.h"
#include "tlm/side_counters.h"

namespace flitcast::tlm {

class TargetSide;

/// What initiators may do.
struct InitiatorLimits {
  /// Transactions of one initiator that have joined its node's queue and not ended; END_REQ waits
  /// for a place.
  std::size_t outstanding = 16;
  /// Longest data of one burst, in bytes; longer transactions are split. 0: never.
  unsigned burst_bytes = 1024;
  /// Whether requests for direct memory reach the targets; else they are denied and timing holds.
  bool forward_dmi = false;
};

/// The network interface in front of one initiator: takes its transactions into the network as
/// bursts and gives it the responses.
///
/// BEGIN_REQ is answered by TLM_ACCEPTED; END_REQ follows when the request has joined its node's
/// queue. There is one BEGIN_RESP at a time; with several answered, the most urgent comes first.
/// b_transport consumes its delay, blocks until the response is back, and returns without delay.
/// The payload has the initiator's address and every answer of the targets before its response.
class InitiatorSide : public sc_core::sc_module, public ForwardInterface {
 public:
  /// Everything referred to must outlive the side.
  struct Context {
    Ledger& ledger;
    Exchange& exchange;
    const AddressMap& map;
    const InitiatorLimits& limits;
    std::function<TargetSide&(std::size_t)> target;
  };

  InitiatorSide(const sc_core::sc_module_name& name, std::uint32_t number, std::size_t targets,
                Context context);

  /// Once, before the first call.
  void connect(BackwardInterface& initiator) { initiator_ = &initiator; }
  BackwardInterface& initiator() { return *initiator_; }

  /// A response has come out of the network.
  void arrived(Burst& burst);
  /// Passes an ignorable phase of the target on, at once.
  ::tlm::tlm_sync_enum backward_ignorable(Burst& burst, ::tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay);

  ::tlm::tlm_sync_enum nb_transport_fw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) override;
  unsigned int transport_dbg(Payload& payload) override;

  const SideCounters& counters() const { return counters_; }

 private:
  enum class Event { kBeginRequest, kEndResponse, kReconsider };
  struct Entry {
    Event event{};
    Payload* payload = nullptr;
  };

  void act();
  void begin_request(Payload& payload, const sc_core::sc_time& delay);
  void end_response(const Payload& payload, const sc_core::sc_time& delay);
  ::tlm::tlm_sync_enum pass_on(Payload& payload, ::tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void take_in(Payload& payload);
  void admit();
  void send(Transaction& transaction);
  void end_request(Transaction& transaction);
  ::tlm::tlm_response_status plan(const Payload& payload);
  void add_bursts(Transaction& transaction);
  void answer(Transaction& transaction);
  void complete(Transaction& transaction);
  void begin_response(Transaction& transaction);
  void begin_responses();
  void release_response();
  void count(const Transaction& transaction);
  void close(Transaction& transaction);

  const std::uint32_t number_;
  const Context context_;
  BackwardInterface* initiator_ = nullptr;
  Agenda<Entry> agenda_{"agenda"};
  std::deque<Transaction*> held_;      // In order of coming.
  std::deque<Transaction*> answered_;  // Those of nb_transport that wait for their BEGIN_RESP.
  ByPayload<Transaction*> open_;       // Those of nb_transport.
  const Payload* request_ = nullptr;   // Its BEGIN_REQ has not been followed by END_REQ.
  Transaction* response_ = nullptr;    // Its BEGIN_RESP has not been followed by END_RESP.
  std::size_t outstanding_ = 0;
  std::vector<std::uint32_t> sequences_;     // By target.
  std::vector<std::uint64_t> destinations_;  // Of the payload that plan() has looked at.
  SideCounters counters_;
};

}  // namespace flitcast::tlm
