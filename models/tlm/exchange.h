// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "base/packet_source.h"
#include "network/fabric/fabric.h"
#include "tlm/ledger.h"

namespace flitcast::tlm {

/// The nodes to which the sides of an interconnect are attached.
struct Placement {
  std::vector<NodeId> initiators;
  std::vector<NodeId> targets;
};

/// Carries the requests and responses of bursts over a fabric, as packets.
///
///   initiator --send_request-->     | node ~~~ routers ~~~ node | --request_arrived-->  target
///   side      <--response_arrived-- |                           | <--send_response--    side
///
/// A message sent at time t becomes a packet in the first cycle that begins after t, independent of
/// the order of processes. Requests and responses are separate message classes, so neither blocks
/// the other. Nodes may have several sides of both kinds.
///
/// The clock of the fabric only runs cycles while there is work: between transactions it stops,
/// costs no simulation time, and lets a simulation without other events end. Its rising edges are
/// at multiples of the period, even after a restart.
class Exchange : public sc_core::sc_module {
 public:
  using Arrival = std::function<void(Burst&)>;

  /// Message classes; the network has kClasses of them.
  static constexpr std::uint8_t kRequests = 0;
  static constexpr std::uint8_t kResponses = 1;
  static constexpr std::size_t kClasses = 2;

  /// @param fabric  In lockstep and without a clock: the exchange drives it with a clock that stops
  ///                while there are no packets. `fabric` and `ledger` must outlive the exchange.
  Exchange(const sc_core::sc_module_name& name, Fabric& fabric, Ledger& ledger,
           const PacketFormat& format, Placement placement, Arrival request_arrived,
           Arrival response_arrived);

  void send_request(Burst& burst);
  void send_response(Burst& burst);

 private:
  struct Outgoing {
    NodeId from;
    PacketRequest packet;
  };

  void send(NodeId from, PacketRequest packet, const Burst& burst);
  void flush();
  void receive(NodeId node);
  /// Restarts the clock: there is work from the next rising edge on.
  void wake_clock();
  void drive_clock();
  /// True if another rising edge must follow.
  bool busy() const;

  Fabric& fabric_;
  Ledger& ledger_;
  const PacketFormat format_;
  const Placement placement_;
  const Arrival request_arrived_;
  const Arrival response_arrived_;
  sc_core::sc_signal<bool> clock_{"clock"};
  sc_core::sc_event edge_{"edge"};
  bool clock_runs_ = false;
  const std::uint64_t to_rest_;  // Cycles after an arrival until the network is idle.
  std::vector<Outgoing> outbox_;
  sc_core::sc_event sent_{"sent"};
  std::size_t packets_ = 0;  // Packets in flight.
  Cycle last_arrival_{};
};

}  // namespace flitcast::tlm
