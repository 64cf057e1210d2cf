// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/flit.h"
#include "base/ids.h"
#include "network/fabric/packet_store.h"
#include "router/invariant.h"
#include "topology/topology.h"

namespace flitcast {

/// The state of a terminal, from CircuitNetwork::state().
enum class TerminalState {
  kIdle,       ///< Nothing to send.
  kWait,       ///< A request is in flight to the controller or waits there.
  kSetup,      ///< The controller serves the request, or its crossbars are being written.
  kConnected,  ///< Flits stream, or a held connection is open.
  kTeardown,   ///< The tail has arrived at all receivers; ports and links are still occupied.
  kBlocked,    ///< No path was found; the request is retried after the next release.
  kCount,      ///< The number of states.
};

/// The sending side of a node.
struct CircuitSource {
  /// The current step of the node's request; a request takes its steps in this order.
  enum class Phase : std::uint8_t {
    kIdle,
    kRequest,
    kWaiting,
    kSetup,
    kBlock,
    kConnected,
    kTeardown
  };

  Phase phase = Phase::kIdle;
  bool held = false;         ///< The connection carries no packet and stays until it is closed.
  std::uint32_t serial = 0;  ///< Packets created so far.
  std::uint32_t due = 0;     ///< Receivers that the tail has not reached.
  PacketSlot queue_front = PacketStore::kNone;
  PacketSlot queue_back = PacketStore::kNone;
  Flit next{};  ///< The next flit to inject while the packet streams.

  std::uint64_t flits_created = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_dropped = 0;
};

/// The receiving side of a node. It takes one flit per cycle and checks that the flits of a packet
/// arrive in order, in consecutive cycles.
struct CircuitSink {
  PacketSlot packet = PacketStore::kNone;
  std::uint32_t remaining = 0;  ///< Flit::remaining of the next flit.
  Cycle due{};                  ///< Arrival of the next flit.
  std::uint64_t flits_ejected = 0;
};

/// Throws an InvariantError; not inlined into the hot path.
[[noreturn, gnu::cold, gnu::noinline]] inline void broken_at_node(const char* what,
                                                                  std::uint32_t node) {
  throw InvariantError(std::string(what) + " (node " + std::to_string(node) + ")");
}

/// An output of a crossbar that a connection drives.
struct CircuitSetting {
  Endpoint output{};
  std::uint32_t input = 0;  ///< The input that drives it.
  std::uint32_t stage = 0;  ///< Stage of the crossbar, 0 .. 2k.
};

}  // namespace flitcast
