// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "network/check/inspection.h"
#include "network/network.h"

namespace flitcast {

/// What has happened in one router, in the terms of tables of energies. Bits are those of wires
/// that differ from the cycle before, where a wire without a flit is zero; they are expectations
/// where payloads are not known.
struct RouterEvents {
  double flits_in = 0;   ///< Flits that came in.
  double bits_in = 0;    ///< Changed bits of flits and valid at the inputs.
  double flits_out = 0;  ///< Flits that were sent through the switch.
  double bits_out = 0;   ///< Changed bits of flits and valid at the outputs.
  double packets = 0;    ///< Packets of which the head was sent.
  /// Cycles in which a head waited for an output VC, over input VCs; where packets are kept whole,
  /// those in which a packet was in a queue.
  double waits = 0;
  /// Where packets are kept whole: for every one that left its queue those that were in queues.
  double crowds = 0;
  double vc_changes = 0;  ///< Flits that left an input by another VC than the one before them.
  /// Where packets are kept whole: bits of a length that differ from the packet before at an
  /// output.
  double length_changes = 0;
  double send_changes = 0;    ///< Input VCs that started or stopped sending.
  double source_changes = 0;  ///< Pairs of an input and an output that were joined or parted.
  /// Changed bits of the wires that it drives, VC numbers and credits among them: to other routers,
  /// and to nodes.
  double link_bits = 0;
  double node_bits = 0;

  RouterEvents& operator+=(const RouterEvents& other);
};

/// An event as tables of energies name it.
struct EventName {
  const char* name;
  double RouterEvents::*count;
};
/// All but link_bits and node_bits, in the order of RouterEvents.
const std::vector<EventName>& event_names();

class RouterMonitor;

/// How flits lie on wires: destination, remaining flits, head, and of routers that keep packets a
/// packet number; the rest is payload.
struct FlitFormat {
  unsigned width = 34;            ///< Bits in all.
  unsigned destination_bits = 4;  ///< Of a node's number.
  unsigned remaining_bits = 4;    ///< Of the flits that follow in a packet.
  unsigned number_bits = 0;       ///< Of a packet's number.
  unsigned head_bits = 1;         ///< 0 in circuits, whose flits are payload alone.
  bool payload_is_random = true;  ///< Else it is zero.

  unsigned header_bits() const {
    return destination_bits + remaining_bits + head_bits + number_bits;
  }
  /// Changed payload bits from a flit, or no flit, to the next, as expected.
  double payload_changes() const { return payload_is_random ? 0.5 * (width - header_bits()) : 0; }
};

/// Counts the events of all routers of a network, cycle by cycle, by looking at it in between: the
/// routers know nothing of it, and a run that nobody observes costs nothing more. For packets with
/// one way each; buffers of VCs have two places or more.
///
/// Where packets are kept whole the flits on the channel from a node are taken as those of packets
/// with random destinations, and each packet's credit as two changes. Of crossbars of circuits,
/// whose stages take one cycle, there are flits, bits and source_changes.
class EventCounter {
 public:
  /// Of the cycles from now on. The network must outlive it.
  EventCounter(const Network& network, const FlitFormat& format);
  ~EventCounter();

  /// After every cycle, and after each span of cycles in which nothing happened.
  void observe();

  /// By router.
  const std::vector<RouterEvents>& events() const { return events_; }

 private:
  const FlitFormat format_;
  std::unique_ptr<const Inspection> inspection_;          // Null where there are crossbars.
  std::vector<std::unique_ptr<RouterMonitor>> monitors_;  // By router.
  std::vector<RouterEvents> events_;
};

}  // namespace flitcast
