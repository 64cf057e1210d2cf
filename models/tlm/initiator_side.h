// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm/address_map.h"
#include "tlm/agenda.h"
#include "tlm/exchange.h"
#include "tlm/ledger.h"
#include "tlm/protocol_checker.h"
#include "tlm/protocol_rules.h"
#include "tlm/side_counters.h"
#include "tlm/timing.h"

namespace flitcast::tlm {

/// Limits of initiators.
struct InitiatorLimits {
  /// Outstanding transactions of one initiator that have joined its node's queue; END_REQ waits for
  /// a free slot.
  std::size_t outstanding = 16;
  /// Longest data of one burst, in bytes; longer transactions are split (see TargetSide). 0:
  /// never.
  unsigned burst_bytes = 1024;
  /// True if requests for direct memory reach the targets; otherwise they are denied, and timing is
  /// always modelled.
  bool forward_dmi = false;
};

class InitiatorSide;
class TargetSide;

/// The sides of an interconnect, and the parts that they share.
struct Sides {
  Ledger& ledger;
  Exchange& exchange;
  const AddressMap& map;
  const InitiatorLimits& limits;
  Timing timing;
  const bool checked;  ///< True if a LinkChecker at every socket reports violations.
  TransactionObserver observer{};
  std::vector<std::unique_ptr<InitiatorSide>> initiators{};
  std::vector<std::unique_ptr<TargetSide>> targets{};
};

/// A network interface, and the initiator or the target at its socket, its peer.
/// @tparam Own   The calls that it takes from its peer.
/// @tparam Peer  The calls that its peer takes.
template <class Own, class Peer>
class SocketSide : public sc_core::sc_module, public Own {
 public:
  /// @param sides  They must outlive the side.
  SocketSide(const sc_core::sc_module_name& module_name, const Sides& sides)
      : sc_module(module_name), sides_(sides), counters_(sides.exchange.period()) {
    if (sides.checked) attach(checker_.emplace(name()), static_cast<Own&>(*this));
  }

  /// Called once, before the first call.
  void connect(Peer& peer) {
    peer_ = &peer;
    if (!checker_) return;
    attach(*checker_, peer);
    peer_ = &*checker_;
  }
  /// The interface that the peer calls: the side, or its checker.
  Own& entrance() {
    if (checker_) return *checker_;
    return *this;
  }
  Peer& peer() { return *peer_; }
  SideCounters& counters() { return counters_; }

 protected:
  /// Reports a violation, unless a checker at the socket has; `unseen`: it cannot see this one.
  void violated(Rule rule, const std::string& seen, bool unseen = false) const {
    if (unseen || !sides_.checked) report_violation(name(), rule, seen);
  }

  const Sides& sides_;
  Peer* peer_ = nullptr;
  SideCounters counters_;

 private:
  static void attach(LinkChecker& checker, ForwardInterface& target) {
    checker.connect_target(target);
  }
  static void attach(LinkChecker& checker, BackwardInterface& initiator) {
    checker.connect_initiator(initiator);
  }

  std::optional<LinkChecker> checker_;  // Between both if Sides::checked.
};

/// The network interface of one initiator: sends its transactions into the network as bursts and
/// returns the responses.
///
/// BEGIN_REQ is answered by TLM_ACCEPTED; END_REQ follows when the request has joined its node's
/// queue. There is one BEGIN_RESP at a time; if several wait, the one with the highest priority
/// goes first. b_transport consumes its delay, blocks until the response is back, and returns with
/// zero delay; with another timing than Timing::kCycle it adds to its delay and blocks where the
/// target does. The payload has the initiator's address and every answer of the targets before its
/// response.
class InitiatorSide : public SocketSide<ForwardInterface, BackwardInterface> {
 public:
  /// @param sides  They must outlive the side.
  InitiatorSide(const sc_core::sc_module_name& name, std::uint32_t number, std::size_t targets,
                Sides& sides);

  /// Makes the initiator ask for direct memory anew.
  void take_back_regions() {
    if (sides_.limits.forward_dmi && peer_ != nullptr) {
      peer_->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
    }
  }

  /// Takes a response that has left the network.
  void arrived(Burst& burst);
  /// Forwards an ignorable phase of the target at once.
  tlm_sync_enum backward_ignorable(Burst& burst, tlm_phase& phase, sc_time& delay);

  tlm_sync_enum nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) override;
  void b_transport(Payload& payload, sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) override;
  unsigned int transport_dbg(Payload& payload) override;

 private:
  enum class Event { kBeginRequest, kEndResponse, kReconsider };
  struct Entry {
    Event event{};
    Payload* payload = nullptr;
  };

  void act();
  void annotate(Payload& payload, sc_time& delay);
  void begin_request(Payload& payload, const sc_time& delay);
  void end_response(const Payload& payload, const sc_time& delay);
  tlm_sync_enum pass_on(Payload& payload, tlm_phase& phase, sc_time& delay);
  void take_in(Payload& payload);
  void admit();
  void end_request(Transaction& transaction);
  ::tlm::tlm_response_status plan(const Payload& payload);
  void add_bursts(Transaction& transaction);
  void answer(Transaction& transaction);
  void complete(Transaction& transaction);
  void begin_response(Transaction& transaction);
  void begin_responses();
  void release_response();
  void count(const TransactionRecord& record);
  void count(Transaction& transaction);
  void close(Transaction& transaction);

  const std::uint32_t number_;
  Agenda<Entry> agenda_{"agenda"};
  std::deque<Transaction*> held_;  // Transactions before the network, in order of arrival.
  // Transactions of nb_transport that wait for their BEGIN_RESP.
  std::deque<Transaction*> answered_;
  // Transactions of nb_transport; null until BEGIN_REQ has taken effect.
  PayloadMap<Transaction*> open_;
  const Payload* request_ = nullptr;  // The payload between BEGIN_REQ and END_REQ.
  Transaction* response_ = nullptr;   // The transaction between BEGIN_RESP and END_RESP.
  std::size_t outstanding_ = 0;
  std::vector<std::uint32_t> sequences_;  // Indexed by target.
  // Destinations of the payload last processed by plan().
  std::vector<std::uint64_t> destinations_;
};

}  // namespace flitcast::tlm
