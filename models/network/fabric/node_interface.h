// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/flit.h"
#include "network/fabric/channel_outputs.h"
#include "network/fabric/message_class.h"
#include "network/fabric/packet_store.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// The packet that is arriving on one virtual channel of the ejection channel.
struct NodeVc {
  std::uint16_t hops = 0;
  std::uint16_t expected = 0;  ///< Flit::remaining of the next flit.
  PacketSlot arriving = PacketStore::kNone;
};

/// The source queue of one message class at a port of a node.
struct SourceQueue {
  VcSet vcs = 0;  ///< VCs of the class on the injection channel; classes may share VCs.
  Cycle ready{};  ///< The end of the start-up of the front packet, once it has begun.
  Flit next{};    ///< The next flit of the front packet, once its head can leave.
  PacketSlot front = PacketStore::kNone;
  PacketSlot back = PacketStore::kNone;
  std::uint32_t remaining = 0;  ///< Flits of the front packet still to be sent; 0: not begun.
  std::uint8_t vc = 0;          ///< VC of the packet that is leaving, or else of the last packet.
  bool at_front = false;        ///< The front packet has begun its start-up.

  /// Begins the start-up of the front packet, unless it has begun. A packet that continues a
  /// message has no start-up.
  void start_up(Cycle now, std::uint32_t cycles, PacketStore& packets) {
    if (front == PacketStore::kNone || at_front) return;
    at_front = true;
    ready = now + (cycles != 0 && packets.packet(front).continues ? 0 : cycles);
  }
  /// Begins to send the front packet in one of these VCs, by round robin.
  void begin(Packet& packet, VcSet choices, Cycle now) {
    vc = static_cast<std::uint8_t>(round_robin(choices, vc));
    remaining = packet.length;
    next = head_flit(packet, front, now);
  }
  /// Replaces `next`, which has been sent, by the flit behind it.
  void advance(const PacketStore& packets) {
    if (--remaining == 0) {
      front = packets.next(front);
      at_front = false;
    } else {
      step_behind(next);
    }
  }

  /// The packets in the queue, and their flits that have not left.
  struct Backlog {
    std::size_t packets = 0;
    std::uint64_t flits = 0;
  };
  /// Time: one visit to each packet.
  Backlog backlog(const PacketStore& packets) const {
    Backlog all;
    for (PacketSlot slot = front; slot != PacketStore::kNone; slot = packets.next(slot)) {
      const bool leaving = slot == front && remaining != 0;
      all.flits += leaving ? remaining : packets.packet(slot).length;
      ++all.packets;
    }
    return all;
  }
};
static_assert(sizeof(SourceQueue) == 48, "a node of a large network has one of each class");

/// The flits that wait at a port of a node whose receiver has a bounded number of packet slots.
/// They wait in the VC on which they arrived and keep their credits. A head leaves when there is a
/// free slot for its message class, and the flits behind it follow without waiting; all VCs
/// together pass one flit per cycle. Where a StreamTerminal receives, each flit waits until it has
/// been accepted as a beat.
struct EjectionBuffer {
  std::vector<std::uint32_t>* slots = nullptr;  ///< Free slots per message class, for all ports.
  std::vector<std::deque<Flit>> held;           ///< Waiting flits, per VC.
  std::uint8_t last_vc = 0;                     ///< The VC of the last flit that left.
  /// If replies free slots: the front packet of the source queue in the last cycle, per message
  /// class.
  std::vector<PacketSlot> fronts{};
  std::uint32_t streamed = 0;  ///< Message classes that a StreamTerminal receives.
  /// With a stream, per VC: the number of flits at the front that have been accepted as beats.
  std::vector<std::uint32_t> accepted{};
};

/// The network interface of a port of a node, which sends and receives one flit per cycle: an
/// unbounded source queue per message class, the credits of the injection channel, and a sink that
/// accepts every flit on arrival, or when its EjectionBuffer allows it, and checks the flit order.
/// Classes that can send a flit take turns; their packets interleave on the channel in different
/// VCs.
struct NodeInterface {
  FlitOutput injection;
  CreditReturn ejection_credit;
  std::uint64_t* arrivals = nullptr;  ///< Event wheel of the ejection channel: one word per row.
  std::uint64_t* credits = nullptr;   ///< Event wheel of the injection channel's credits.
  Flit* sink = nullptr;               ///< One flit per row.
  OutputVc* outputs = nullptr;        ///< VCs of the injection channel; they have no owners.
  NodeVc* vcs = nullptr;              ///< VCs of the ejection channel.

  SourceQueue* queues = nullptr;      ///< One per message class.
  VcSet credited = 0;                 ///< Injection VCs with a credit.
  ClassTurns::Last last_class{};      ///< The message class that sent last, per priority.
  EjectionBuffer* bounded = nullptr;  ///< Null: the receiver accepts every flit.

  std::uint64_t flits_created = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_ejected = 0;
};

}  // namespace flitcast
