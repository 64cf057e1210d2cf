// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm/agenda.h"
#include "tlm/burst.h"
#include "tlm/exchange.h"
#include "tlm/side_counters.h"

namespace flitcast::tlm {

/// The network interface in front of one target: calls it with the requests that arrive and sends
/// its responses back.
///
/// A burst that came by nb_transport goes on by nb_transport: one BEGIN_REQ at a time, as many
/// transactions as the target accepts; END_RESP comes from here as soon as the response takes
/// effect. One that came by b_transport goes on by b_transport, each in a thread of its own, so
/// that a target may block one for another. Bursts of one initiator reach the target in the order
/// in which it sent them. The payload has the target's address while the target has it.
class TargetSide : public sc_core::sc_module, public BackwardInterface {
 public:
  /// What a target's calls lead to on the side of the initiators.
  struct Backward {
    /// A region in the target's addresses has lost its grant.
    std::function<void(sc_dt::uint64 start, sc_dt::uint64 end)> invalidate;
    /// An ignorable phase of a burst that the target has.
    std::function<::tlm::tlm_sync_enum(Burst&, ::tlm::tlm_phase&, sc_core::sc_time&)> ignorable;
  };

  TargetSide(const sc_core::sc_module_name& name, std::size_t initiators, Exchange& exchange,
             Backward backward);

  /// Once, before the first call.
  void connect(ForwardInterface& target) { target_ = &target; }
  ForwardInterface& target() { return *target_; }

  /// A request has come out of the network.
  void arrived(Burst& burst);

  /// Passes an ignorable phase of a burst on, at once, if the target has it.
  ::tlm::tlm_sync_enum forward_ignorable(Burst& burst, ::tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay);

  ::tlm::tlm_sync_enum nb_transport_bw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

  const SideCounters& counters() const { return counters_; }
  SideCounters& counters() { return counters_; }

 private:
  struct Flow {
    std::uint32_t expected = 0;               ///< The sequence number that comes next.
    std::map<std::uint32_t, Burst*> early{};  ///< What has overtaken it in the network.
  };
  /// A thread for calls of b_transport.
  struct Worker {
    Burst* burst = nullptr;
    sc_core::sc_event go{};
  };
  enum class Event { kEndRequest, kBeginResponse, kCompleted };
  struct Entry {
    Event event{};
    Burst* burst = nullptr;
  };

  void accept(Burst& burst);
  void call_blocking(Burst& burst);
  void work(Worker& worker);
  void act();
  void begin_requests();
  Burst* most_urgent();
  void begin_request(Burst& burst);
  void end_request(const Burst& burst);
  void answer(Burst& burst);
  void hand_over(Burst& burst);
  void take_back(Burst& burst);
  Burst* at_target(const Payload& payload, const ::tlm::tlm_phase& phase);

  Exchange& exchange_;
  const Backward backward_;
  ForwardInterface* target_ = nullptr;
  std::vector<Flow> flows_;      // By initiator.
  std::deque<Burst*> ready_;     // For nb_transport, in the order of their coming.
  Burst* request_ = nullptr;     // The one whose request has yet to end.
  ByPayload<Burst*> at_target_;  // By nb_transport.
  Agenda<Entry> agenda_{"agenda"};
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  SideCounters counters_;
};

}  // namespace flitcast::tlm
