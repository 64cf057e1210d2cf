// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "base/packet_source.h"
#include "network/fabric/fabric.h"
#include "tlm/burst.h"
#include "tlm/gated_clock.h"

namespace flitcast::tlm {

/// Where the sides of an interconnect are attached: the node of each.
struct Placement {
  std::vector<NodeId> initiators;
  std::vector<NodeId> targets;
};

/// Carries the requests and responses of bursts over a fabric, as packets.
///
///   initiator side --send_request--> | node ~~~ routers ~~~ node | --request_arrived--> target
///   side
///                 <--response_arrived-- |                       | <--send_response--
///
/// What is sent at a time t becomes a packet in the first cycle that begins after t, whatever the
/// order of processes. Requests and responses are message classes of their own, so that neither
/// holds back the other. Nodes may have several sides of both kinds.
class Exchange : public sc_core::sc_module {
 public:
  using Arrival = std::function<void(Burst&)>;

  /// Message classes, of which the network has kClasses.
  static constexpr std::uint8_t kRequests = 0;
  static constexpr std::uint8_t kResponses = 1;
  static constexpr std::size_t kClasses = 2;

  /// @param fabric  In lockstep, and without a clock: it gets one that stands still while there are
  ///                no packets. Must outlive the exchange.
  /// @param find    The burst of a number.
  Exchange(const sc_core::sc_module_name& name, Fabric& fabric, const PacketFormat& format,
           Placement placement, std::function<Burst&(std::uint64_t)> find, Arrival request_arrived,
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
  bool busy() const;

  Fabric& fabric_;
  const PacketFormat format_;
  const Placement placement_;
  const std::function<Burst&(std::uint64_t)> find_;
  const Arrival request_arrived_;
  const Arrival response_arrived_;
  GatedClock clock_;
  const std::uint64_t to_rest_;  // Cycles after an arrival, until all in the network is at rest.
  std::vector<Outgoing> outbox_;
  sc_core::sc_event sent_{"sent"};
  std::size_t packets_ = 0;  // Under way.
  Cycle last_arrival_{};
};

}  // namespace flitcast::tlm
