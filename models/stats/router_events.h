// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "network/check/inspection.h"
#include "network/network.h"

namespace flitcast {

/// The events in one router, with the names of energy tables. Bits count wires that change from one
/// cycle to the next; without a flit all wires are zero. Bits are expected values if payloads are
/// unknown.
struct RouterEvents {
  double flits_in = 0;   ///< Flits received.
  double bits_in = 0;    ///< Changed bits of flits and valid at the inputs.
  double flits_out = 0;  ///< Flits sent through the switch.
  double bits_out = 0;   ///< Changed bits of flits and valid at the outputs.
  double packets = 0;    ///< Heads sent.
  /// Cycles in which a head waited for an output VC, summed over input VCs; in routers that keep
  /// whole packets, cycles that packets spent in queues, summed over packets.
  double waits = 0;
  /// In routers that keep whole packets: the sum, over all departures from a queue, of the packets
  /// then in that queue.
  double crowds = 0;
  double vc_changes = 0;  ///< Flits that left an input port from another VC than the last.
  /// In routers that keep whole packets: bits of the length that differ from the previous packet at
  /// an output.
  double length_changes = 0;
  double send_changes = 0;    ///< Input VCs that started or stopped sending.
  double source_changes = 0;  ///< Pairs of input and output connected or disconnected.
  /// Changed bits of the wires that the router drives to other routers, VC numbers and credits
  /// included.
  double link_bits = 0;
  /// Changed bits of the wires that the router drives to nodes, VC numbers and credits included.
  double node_bits = 0;

  RouterEvents& operator+=(const RouterEvents& other);
};

/// The name of an event in energy tables, and the counter of the event.
struct EventName {
  const char* name;
  double RouterEvents::*count;
};
/// All events but link_bits and node_bits, in the order of RouterEvents.
const std::vector<EventName>& event_names();

class RouterMonitor;

/// The layout of flits on wires: destination, remaining flits, head, and in routers that keep whole
/// packets a packet number; the rest is payload.
struct FlitFormat {
  unsigned width = 34;            ///< All bits of a flit.
  unsigned destination_bits = 4;  ///< Bits of the destination.
  unsigned remaining_bits = 4;    ///< Bits of Flit::remaining.
  unsigned number_bits = 0;       ///< Bits of the packet number.
  unsigned head_bits = 1;         ///< 0 in circuits, whose flits are payload only.
  bool payload_is_random = true;  ///< If false, payload is zero.

  unsigned header_bits() const {
    return destination_bits + remaining_bits + head_bits + number_bits;
  }
  /// The expected number of payload bits that change from one cycle to the next, if at least one of
  /// the two has a flit.
  double payload_changes() const { return payload_is_random ? 0.5 * (width - header_bits()) : 0; }
};

/// Counts the events of all routers of a network by observing the network between cycles, so a run
/// without a counter has no extra cost. Applies to packets with a single path; VC buffers must have
/// at least two slots.
///
/// In routers that keep whole packets, flits on the channel from a node count as flits of packets
/// with random destinations, and each packet's credit as two changes. For circuit crossbars, whose
/// stages take one cycle, only flits, bits and source_changes are counted.
class EventCounter {
 public:
  /// Counts from the current cycle on. `network` must outlive the counter.
  EventCounter(const Network& network, const FlitFormat& format);
  ~EventCounter();

  /// Call it after every cycle, and after each span of idle cycles.
  void observe();

  /// The events by router.
  const std::vector<RouterEvents>& events() const { return events_; }

 private:
  const FlitFormat format_;
  std::unique_ptr<const Inspection> inspection_;          // Null for crossbars.
  std::vector<std::unique_ptr<RouterMonitor>> monitors_;  // Indexed by router.
  std::vector<RouterEvents> events_;
};

}  // namespace flitcast
