// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "base/packet_source.h"
#include "network/fabric/fabric.h"
#include "network/network_counts.h"
#include "tlm/ledger.h"
#include "tlm/timing.h"

namespace flitcast::tlm {

/// The nodes to which the sides of an interconnect are attached.
struct Placement {
  std::vector<NodeId> initiators;
  std::vector<NodeId> targets;
};

/// Carries the requests and responses of bursts over a fabric, as packets.
///
///   initiator --send----> | node ~~~ routers ~~~ node | --arrived--> target
///   side      <--arrived-- |                           | <----send--  side
///
/// A message sent at time t becomes a packet in the first cycle that begins after t, independent of
/// the order of processes. Requests and responses are separate message classes, so neither blocks
/// the other. Nodes may have several sides of both kinds.
///
/// Cycles begin at multiples of the period. The fabric runs them when their effects can be seen:
/// when a packet may arrive, as FlightTimes says, in every cycle while a packet is late, when a
/// message is sent, and in catch_up(). An idle network has no events and, once all credits have
/// returned, no cycles, so that a simulation without other events ends.
class Exchange : public sc_core::sc_module {
 public:
  /// Receives a burst whose request (Burst::Stage::kToTarget) or response has left the network.
  using Arrival = std::function<void(Burst&)>;

  /// Message classes; the network has kClasses of them.
  static constexpr std::uint8_t kRequests = 0;
  static constexpr std::uint8_t kResponses = 1;
  static constexpr std::size_t kClasses = 2;

  /// @param fabric  NetworkParams::by_calls, since the exchange runs its cycles. `fabric`
  ///                and `ledger` must outlive the exchange.
  Exchange(const sc_core::sc_module_name& name, Fabric& fabric, Ledger& ledger,
           const sc_time& period, const PacketFormat& format, Placement placement, Arrival arrived);

  void send(Burst& burst, std::uint8_t message_class);
  /// Runs the cycles that began before the present time.
  void catch_up() {
    run_before(cycles_in(sc_core::sc_time_stamp() + period_ - sc_time::from_value(1)));
  }
  /// The estimated time of one of a transaction's packets, which is sent after `delay`.
  sc_time estimate(std::size_t initiator, std::size_t target, const Payload& payload,
                   std::uint8_t message_class, const sc_time& delay);
  /// The least time of both packets of an access to the data of a flit.
  sc_time least_time(std::size_t initiator, std::size_t target, ::tlm::tlm_command command);
  /// Whole periods in a time.
  std::uint64_t cycles_in(const sc_time& time) const { return time.value() / period_.value(); }
  const sc_time& period() const { return period_; }
  /// The counts of the network after all cycles that began before the present time, and perhaps the
  /// one that begins now. A packet counts from its call of `arrived` on.
  NetworkCounts counts();

 private:
  struct Outgoing {
    NodeId from;
    PacketRequest packet;
  };

  Outgoing packet_of(std::size_t initiator, std::size_t target, const Payload& payload,
                     std::uint8_t message_class) const;
  void flush();
  void receive(const Delivery& delivery);
  void run_before(std::uint64_t cycle);
  void run_due();
  void schedule();

  Fabric& fabric_;
  Ledger& ledger_;
  const PacketFormat format_;
  const Placement placement_;
  const Arrival arrived_at_;
  const sc_time period_;
  LatencyEstimate estimate_;
  sc_core::sc_event due_{"due"};
  std::vector<Outgoing> outbox_;
  std::vector<Outgoing> sending_;  // Keeps its memory.
  sc_core::sc_event sent_{"sent"};
  std::size_t packets_ = 0;    // Packets in flight.
  std::uint64_t arrived_ = 0;  // Packets that have arrived.
  std::uint64_t hops_ = 0;     // Routers that these have crossed.
  // Earliest arrivals of packets in flight that are not late, in periods.
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> expected_;
  std::uint64_t next_ = 0;       // The period in which the next cycle of the fabric begins.
  const std::uint64_t to_rest_;  // Cycles after an arrival until the network is idle.
  Cycle rest_{};                 // From this cycle of the fabric on it is, without packets.
};

}  // namespace flitcast::tlm
