// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "network/fabric/message_class.h"
#include "network/fabric/node_interface.h"
#include "network/fabric/packet_maker.h"
#include "network/pins/channel.h"
#include "network/pins/packet_ledger.h"
#include "network/pins/process.h"
#include "router/packet_order.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast::pins {

/// The entry of a node's packets into a network. Each port has an unbounded queue per message
/// class, filled by the ledger's packet source, and the credits of its injection channel.
///
///   PacketSource --> [ queues ] --> out_*_o, one flit per cycle while there are credits
///                                   out_credit_*_i <--
///
/// The head of a packet is on the wires in the cycle in which the packet is created, if it is the
/// first in its queue, has no start-up, and has a credit in one of the VCs that its class and
/// Routing::injection_vcs() allow. VCs take turns, and so do classes of equal priority that can
/// send a flit. Cycles are counted from the first edge out of reset. In reset no packet is created
/// and no flit sent. A reset after the first packet is an SC_ERROR, because its packets would be
/// lost.
class Injector : public Clocked {
 public:
  struct Params {
    NodeId node{};
    unsigned ports = 1;
    unsigned virtual_channels = 1;
    unsigned depth = 1;                   ///< Credits per VC.
    BufferUnit unit = BufferUnit::kFlit;  ///< The unit of credits.
    /// Cycles that a message spends at the front of its queue before its head leaves (ts).
    std::uint32_t startup = 0;
    std::vector<MessageClass> message_classes{};  ///< The same as NetworkParams::message_classes.
  };

  /// Everything passed by reference must outlive the injector. Parameters of 0, and later a source
  /// that violates a rule and a credit that no flit has taken, are reported as an SC_ERROR.
  Injector(const sc_core::sc_module_name& name, const Params& params, const PacketMaker& maker,
           const Routing& routing, PacketLedger& ledger);

  /// The channel of a port; the first is named "out_0".
  FlitOutput& out(std::size_t port) { return outs_[port]; }
  /// Makes the injector poll the source in `cycle` or earlier.
  void wake(Cycle cycle) { due_ = std::min(due_, cycle); }

  std::uint64_t flits_created(std::size_t port) const { return ports_[port].created; }
  std::uint64_t flits_injected(std::size_t port) const { return ports_[port].injected; }
  unsigned credits(std::size_t port, unsigned vc) const { return ports_[port].credits[vc]; }
  /// The number of flits in the queues of a port.
  std::uint64_t waiting_flits(std::size_t port) const {
    return ports_[port].created - ports_[port].injected;
  }

 private:
  struct Port {
    std::vector<SourceQueue> queues;  ///< Per message class.
    ClassTurns::Last last_class{};    ///< The class that sent last, per priority.
    std::vector<unsigned> credits;    ///< Per VC.
    VcSet credited = 0;               ///< VCs with a credit.
    std::uint64_t created = 0;
    std::uint64_t injected = 0;
  };

  void tick() override;
  void reset() override;
  void create(Cycle now);
  void enqueue(const PacketRequest& request, Cycle now);
  void take_credit(std::size_t port);
  bool begin_packet(const Port& port, SourceQueue& queue, Cycle now);
  bool can_send(const Port& port, SourceQueue& queue, Cycle now);
  void inject(std::size_t port, Cycle now);
  void send(std::size_t port, SourceQueue& queue);

  const Params params_;
  const PacketMaker& maker_;
  const Routing& routing_;
  PacketLedger& ledger_;
  const ClassTurns class_turns_;
  std::deque<FlitOutput> outs_;
  std::vector<Port> ports_;
  std::vector<PacketRequest> requests_;
  Cycle due_{};
  std::uint32_t serial_ = 0;  ///< Packets created so far.
};

/// The exit of packets from a network at a port of a node. It accepts every flit in the cycle in
/// which it arrives and returns the credit in the same cycle.
///
/// A flit out of its packet's order, of a packet that is not in flight, or of a packet for another
/// node, is reported as an SC_ERROR with VC and cycle.
/// Reset discards packets that have arrived in part.
class Ejector : public Clocked {
 public:
  struct Params {
    NodeId node{};
    std::uint16_t port = 0;  ///< Port of the node.
    unsigned virtual_channels = 1;
    BufferUnit unit = BufferUnit::kFlit;  ///< The unit of credits.
    /// True if routers copy packets; destinations need not be nodes then.
    bool multicast = false;
  };

  FlitInput in{"in"};

  /// `ledger` must outlive the ejector.
  Ejector(const sc_core::sc_module_name& name, const Params& params, PacketLedger& ledger);

  std::uint64_t flits_ejected() const { return flits_; }
  /// True if the head of a packet has arrived and its tail has not.
  bool receives(unsigned vc) const { return order_.inside(vc); }

 private:
  void tick() override;
  void reset() override;
  bool receive(unsigned vc, const Flit& flit);

  const Params params_;
  PacketLedger& ledger_;
  PacketOrder order_;
  std::vector<std::uint16_t> hops_;  ///< Hops of the packet that is arriving, per VC.
  std::uint64_t flits_ = 0;
};

}  // namespace flitcast::pins
