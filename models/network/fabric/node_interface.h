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

/// The packet that arrives by one virtual channel of the ejection channel.
struct NodeVc {
  std::uint16_t hops = 0;
  std::uint16_t expected = 0;  ///< Flit::remaining of its next flit.
  PacketSlot arriving = PacketStore::kNone;
};

/// The packets of one message class that wait at a port of a node, the first in front.
struct SourceQueue {
  VcSet vcs = 0;  ///< Of the class, on the injection channel; other classes may share them.
  Cycle ready{};  ///< In this cycle the start-up of the front packet ends, if it has begun.
  Flit next{};    ///< The first flit of the front packet that has yet to leave, once it has begun.
  PacketSlot front = PacketStore::kNone;
  PacketSlot back = PacketStore::kNone;
  std::uint32_t remaining = 0;  ///< Flits of the front packet that have yet to leave, likewise.
  std::uint8_t vc = 0;          ///< VC of the packet that is leaving; afterwards the one used last.
  bool at_front = false;        ///< The front packet has begun its start-up.
};
static_assert(sizeof(SourceQueue) == 48, "a node of a large network has one of each class");

/// Where flits wait at a port of a node whose receiver has but so many places for packets: in the
/// VC that they arrived by, with the credits that they took. A head leaves when there is a place
/// for packets of its message class, the flits behind it at once; all VCs share one flit a cycle.
struct EjectionBuffer {
  std::vector<std::uint32_t>* places = nullptr;  ///< Free ones per message class, of all ports.
  std::vector<std::deque<Flit>> held;            ///< Per VC.
  std::uint8_t last_vc = 0;                      ///< By which a flit left last.
  /// Where answers give places back: per message class, who was at the front of the source queue.
  std::vector<PacketSlot> fronts{};
};

/// What a port of a node needs to send and receive one flit per cycle: an unbounded source queue
/// for each message class, the credits of its injection channel, and a sink that takes every flit
/// on arrival, or as an EjectionBuffer lets it, and checks its order. Classes with a flit that can
/// leave take turns, so that their packets interleave on the channel, each in a VC of its own.
struct NodeInterface {
  FlitOutput injection;
  CreditReturn ejection_credit;
  std::uint64_t* arrivals = nullptr;  ///< Rows of the ejection channel, one word of VCs each.
  std::uint64_t* credits = nullptr;   ///< Rows of the injection channel's credits, likewise.
  Flit* sink = nullptr;               ///< One flit a row.
  OutputVc* outputs = nullptr;        ///< VCs of the injection channel, which have no owners,
  NodeVc* vcs = nullptr;              ///< and of the ejection channel.

  SourceQueue* queues = nullptr;      ///< One per message class.
  VcSet credited = 0;                 ///< Injection VCs with a credit.
  ClassTurns::Last last_class{};      ///< The message class that sent last, by priority.
  EjectionBuffer* bounded = nullptr;  ///< Null: the receiver takes all that comes.

  std::uint64_t flits_created = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_ejected = 0;
};

}  // namespace flitcast
