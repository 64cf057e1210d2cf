// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm/agenda.h"
#include "tlm/burst.h"
#include "tlm/initiator_side.h"
#include "tlm/protocol_rules.h"
#include "tlm/side_counters.h"

namespace flitcast::tlm {

/// The network interface of one target: calls it with the requests that arrive and returns its
/// responses.
///
/// A burst of nb_transport is forwarded by nb_transport: one BEGIN_REQ at a time, as many
/// transactions as the target accepts; this side sends END_RESP as soon as the response takes
/// effect. A burst of b_transport is forwarded by b_transport, each in a separate thread, so that a
/// target may block one for another. Bursts of one initiator reach the target in the order in which
/// it sent them. The payload has the target's address while the target holds it.
///
/// Where the streaming width of a long transaction repeats addresses, its parts take effect one
/// after the other, in the order of its data: the target gets a part at the response of the part
/// before it, or at the end of the delay with which b_transport returned for that part. Later
/// requests of the initiator wait for these parts in nb_transport, and may overtake them in
/// b_transport.
class TargetSide : public SocketSide<BackwardInterface, ForwardInterface> {
 public:
  /// @param number  The number of the target.
  /// @param sides   They must outlive the side.
  TargetSide(const sc_core::sc_module_name& name, std::size_t number, std::size_t initiators,
             Sides& sides);

  /// Takes a request that has left the network.
  void arrived(Burst& burst);

  /// Forwards an ignorable phase of a burst at once, if the target holds it.
  tlm_sync_enum forward_ignorable(Burst& burst, tlm_phase& phase, sc_time& delay);

  tlm_sync_enum nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

  /// Calls the target at once, with a delay, for a transaction that does not pass the network.
  void call(Payload& payload, sc_time& delay);

 private:
  struct Flow {
    std::uint32_t expected = 0;  ///< The next sequence number.
    /// By sequence number: bursts that have overtaken burst `expected` in the network.
    std::map<std::uint32_t, Burst*> early{};
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
  void begin_calls();
  void call_blocking(Burst& burst);
  void work(Worker& worker);
  void act();
  void begin_requests();
  /// Takes a burst from ready_, or returns null if all have to wait.
  Burst* most_urgent();
  void begin_request(Burst& burst);
  void answer(Burst& burst);
  /// Counts a call of the target.
  void count(const Payload& payload, const sc_time& begun, const sc_time& ended) {
    counters_.count({payload.get_command(), payload.get_data_length(),
                     payload.get_response_status(), begun, ended});
  }
  void hand_over(Burst& burst);
  Burst* at_target(const Payload& payload, const tlm_phase& phase);

  const std::size_t number_;
  std::vector<Flow> flows_;       // Indexed by initiator.
  std::deque<Burst*> calls_;      // Bursts for b_transport, in order of arrival.
  std::deque<Burst*> ready_;      // Bursts for nb_transport, in order of arrival.
  Burst* request_ = nullptr;      // The burst whose request has yet to end.
  PayloadMap<Burst*> at_target_;  // Bursts of nb_transport.
  Agenda<Entry> agenda_{"agenda"};
  std::list<Worker> workers_;
  std::vector<Worker*> idle_;
};

}  // namespace flitcast::tlm
