// SPDX-License-Identifier: Apache-2.0
// This file ticks the nodes; the rest of Partition is in partition.cpp.
#include <utility>

#include "network/fabric/partition.h"
#include "router/invariant.h"

namespace flitcast {

// Returns the VCs in which the packet can begin now. VCs in which a packet of another class is
// leaving are excluded; with reuse by tail credit only VCs with all credits are included; with an
// admission, all VCs or none.
VcSet Partition::admissible(const NodeInterface& node, const Packet& packet, VcSet vcs) const {
  for (std::size_t c = 0; c < message_classes_; ++c) {
    if (node.queues[c].remaining != 0) vcs &= ~(VcSet{1} << node.queues[c].vc);
  }
  if (context_.params.router.options.vc_reuse == VcReuse::kTailCredit) {
    for (VcSet rest = vcs; rest != 0; rest &= rest - 1) {
      const unsigned vc = lowest_bit(rest);
      if (node.outputs[vc].credits != depth_) vcs &= ~(VcSet{1} << vc);
    }
  }
  Admission* const admission = context_.params.admission.get();
  return vcs == 0 || admission == nullptr || admission->admit(packet) ? vcs : 0;
}

// After its start-up, the packet at the front of the queue takes, by round robin, the next VC that
// has a credit.
bool Partition::begin_packet(const NodeInterface& node, SourceQueue& queue, Cycle now) {
  queue.start_up(now, context_.params.startup, packets_);
  if (now < queue.ready) return false;
  Packet& packet = packets_.packet(queue.front);
  VcSet choices =
      node.credited & queue.vcs & context_.routing.injection_vcs(packet.source, packet.destination);
  if (restricted_) choices = admissible(node, packet, choices);
  if (choices == 0) return false;
  queue.begin(packet, choices, now);
  return true;
}

template <bool kWholePackets>
bool Partition::can_send(const NodeInterface& node, SourceQueue& queue, Cycle now) {
  if (queue.remaining == 0) {
    if (queue.front == PacketStore::kNone) return false;
    return begin_packet(node, queue, now);
  }
  return kWholePackets || node.outputs[queue.vc].credits != 0;
}

template <bool kWholePackets>
void Partition::send(NodeInterface& node, SourceQueue& queue, Cycle now) {
  OutputVc& vc = node.outputs[queue.vc];
  if constexpr (kWholePackets) {
    node.injection.send(index(now), row_mask_, queue.vc, queue.next);
  } else {
    node.injection.send(index(now), row_mask_, queue.vc, queue.vc * ring_ + vc.slot, queue.next);
    if (queue.next.head && ++vc.slot == ring_) vc.slot = 0;
  }
  const bool pays = !kWholePackets || queue.next.head;
  if (pays && --vc.credits == 0) node.credited &= ~(VcSet{1} << queue.vc);
  queue.advance(packets_);
  ++node.flits_injected;
  ++totals_.flits_injected;
}

template <bool kWholePackets>
bool Partition::has_more(const NodeInterface& node, const SourceQueue& queue, Cycle now) {
  if (queue.remaining != 0) return kWholePackets || node.outputs[queue.vc].credits != 0;
  return queue.front != PacketStore::kNone && (!queue.at_front || now < queue.ready);
}

// Start-ups of several classes overlap: a start-up does not wait for the turn of its class.
template <bool kWholePackets>
bool Partition::inject_by_turns(NodeInterface& node, Cycle now) {
  for (std::size_t c = 0; c < message_classes_; ++c) {
    node.queues[c].start_up(now, context_.params.startup, packets_);
  }
  bool more = false;
  const bool sent = class_turns_.serve(node.last_class, [&](unsigned c) {
    SourceQueue& queue = node.queues[c];
    if (!can_send<kWholePackets>(node, queue, now)) {
      more |= has_more<kWholePackets>(node, queue, now);
      return false;
    }
    send<kWholePackets>(node, queue, now);
    return true;
  });
  return sent || more;
}

// Returns whether the node must be ticked in the next cycle even if nothing arrives.
template <bool kWholePackets>
bool Partition::inject(NodeInterface& node, Cycle now) {
  if (message_classes_ != 1) return inject_by_turns<kWholePackets>(node, now);
  SourceQueue& queue = node.queues[0];
  // A packet leaves the queue with its last flit, so no packet is leaving if the queue is empty.
  if (queue.front == PacketStore::kNone) return false;
  if (can_send<kWholePackets>(node, queue, now)) send<kWholePackets>(node, queue, now);
  return has_more<kWholePackets>(node, queue, now);
}

void Partition::take_credit(NodeInterface& node, unsigned vc) const {
  if (node.outputs[vc].credits++ == depth_) {
    broken_invariant("credit for an empty buffer at a node's injection channel", 0, vc);
  }
  node.credited |= VcSet{1} << vc;
}

template <bool kWholePackets>
[[gnu::always_inline]] inline void Partition::receive(std::size_t number, unsigned vc,
                                                      const Flit& flit, Cycle now) {
  NodeInterface& node = interfaces_[number];
  NodeVc& arriving = node.vcs[vc];
  if (flit.head) {
    if (arriving.arriving != PacketStore::kNone) broken_invariant("head inside a packet", 0, vc);
    if (flit.destination != node_at(number) && !context_.routing.multicast()) {
      broken_invariant("packet at the wrong node", 0, vc);
    }
    arriving.arriving = flit.packet;
    arriving.hops = flit.hops;
  } else if (flit.packet != arriving.arriving || flit.remaining != arriving.expected) {
    broken_invariant("flit out of order at a node", 0, vc);
  }
  arriving.expected = static_cast<std::uint16_t>(flit.remaining - 1);
  ++node.flits_ejected;
  ++totals_.flits_ejected;
  if (!kWholePackets || flit.tail()) {
    const std::size_t left = node.bounded == nullptr ? 0 : node.bounded->held[vc].size();
    node.ejection_credit.give_back(index(now), row_mask_, vc, static_cast<unsigned>(left));
  }
  if (flit.tail()) {
    complete(number, arriving, now);
    arriving.arriving = PacketStore::kNone;
  }
}

template <bool kWholePackets>
bool Partition::tick_interface(std::size_t number, Cycle now) {
  NodeInterface& node = interfaces_[number];
  const std::size_t row = index(now) & row_mask_;
  if (node.credits[row] != 0) take_credit(node, lowest_bit(std::exchange(node.credits[row], 0)));
  if (const std::uint64_t arrival = std::exchange(node.arrivals[row], 0)) {
    receive<kWholePackets>(number, lowest_bit(arrival), node.sink[row], now);
  }
  return inject<kWholePackets>(node, now);
}

// Handles bounded nodes and several credits per cycle: rare features in a separate function, so
// that they cost nothing in other networks.
template <bool kWholePackets>
void Partition::tick_nodes_apart(Cycle now) {
  if (context_.params.reply_queue != 0) reclaim_slots();
  for (std::size_t number = 0; number < interfaces_.size(); ++number) {
    if (interfaces_[number].bounded != nullptr) receive_held<kWholePackets>(number, now);
  }
  if (context_.params.router.options.input_speedup > 1) take_further_credits(now);
}

// Routers with input speed-up return several credits by one port in a cycle. This function takes
// all but the highest one.
void Partition::take_further_credits(Cycle now) {
  const std::size_t row = index(now) & row_mask_;
  for (NodeInterface& node : interfaces_) {
    std::uint64_t& credits = node.credits[row];
    for (; credits != 0 && !single_bit(credits); credits &= credits - 1) {
      take_credit(node, lowest_bit(credits));
    }
  }
}

// A flit that arrives in this cycle joins the held flits; tick_interface() then finds no arrival.
template <bool kWholePackets>
void Partition::receive_held(std::size_t number, Cycle now) {
  NodeInterface& node = interfaces_[number];
  EjectionBuffer& buffer = *node.bounded;
  const std::size_t row = index(now) & row_mask_;
  if (const std::uint64_t arrival = std::exchange(node.arrivals[row], 0)) {
    buffer.held[lowest_bit(arrival)].push_back(node.sink[row]);
  }
  const VcSet vcs = takeable(buffer);
  if (vcs == 0) return;
  const unsigned vc = round_robin(vcs, buffer.last_vc);
  buffer.last_vc = static_cast<std::uint8_t>(vc);
  const Flit flit = buffer.held[vc].front();
  buffer.held[vc].pop_front();
  if (buffer.streamed != 0) --buffer.accepted[vc];
  if (std::uint32_t* const free = flit.head ? slot_for(buffer, flit) : nullptr) --*free;
  receive<kWholePackets>(number, vc, flit, now);
}

template <bool kWholePackets>
void Partition::tick_nodes(Cycle now) {
  if (nodes_apart_) tick_nodes_apart<kWholePackets>(now);
  const std::size_t row = index(now) & row_mask_;
  const auto next = [&](std::size_t word) {
    return next_awake(awake_interfaces_, node_wakes_, word, row, row);
  };
  for (std::size_t w = next(0); w < awake_interfaces_.size(); w = next(w + 1)) {
    std::uint64_t due = awake_interfaces_[w];
    for (WakeRows& wakes : node_wakes_) due |= std::exchange(wakes.at(w, row), 0);
    if (!context_.params.sleep) due = members_of_word(w, interfaces_.size());
    std::uint64_t busy = 0;
    for (; due != 0; due &= due - 1) {
      const unsigned bit = lowest_bit(due);
      busy |= std::uint64_t{tick_interface<kWholePackets>(w * 64 + bit, now)} << bit;
    }
    awake_interfaces_[w] = busy;
  }
}

template void Partition::tick_nodes<false>(Cycle);
template void Partition::tick_nodes<true>(Cycle);

}  // namespace flitcast
