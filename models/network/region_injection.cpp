// SPDX-License-Identifier: Apache-2.0
// How packets leave their nodes; the rest of Region is in region.cpp.
#include "network/region.h"

namespace flitcast {

void Region::start_up(SourceQueue& queue, Cycle now) const {
  if (queue.front == PacketStore::kNone || queue.at_front) return;
  queue.at_front = true;
  queue.ready = now + context_.params.startup;
}

// Those by which the packet may begin now: none in which a packet of another class is leaving; with
// reuse by tail credit, VCs whose credits are all back; with an admission, any or none.
VcSet Region::admissible(const NodeInterface& node, const Packet& packet, VcSet vcs) const {
  for (std::size_t c = 0; c < message_classes_; ++c) {
    if (node.queues[c].remaining != 0) vcs &= ~(VcSet{1} << node.queues[c].vc);
  }
  if (context_.params.router.options.vc_reuse == VcReuse::kTailCredit) {
    for (VcSet rest = vcs; rest != 0; rest &= rest - 1) {
      const unsigned vc = lowest_bit(rest);
      if (node.vcs[vc].credits != depth_) vcs &= ~(VcSet{1} << vc);
    }
  }
  Admission* const admission = context_.params.admission.get();
  return vcs == 0 || admission == nullptr || admission->admit(packet) ? vcs : 0;
}

// The packet at the front of the queue, once its start-up is over, takes the next VC by round robin
// that has a credit.
bool Region::begin_packet(const NodeInterface& node, SourceQueue& queue, Cycle now) {
  start_up(queue, now);
  if (now < queue.ready) return false;
  const Packet& packet = packets_.packet(queue.front);
  VcSet choices =
      node.credited & queue.vcs & context_.routing.injection_vcs(packet.source, packet.destination);
  if (restricted_) choices = admissible(node, packet, choices);
  if (choices == 0) return false;
  queue.vc = static_cast<std::uint8_t>(round_robin(choices, queue.vc));
  queue.remaining = packet.length;
  return true;
}

template <bool kWholePackets>
bool Region::can_send(const NodeInterface& node, SourceQueue& queue, Cycle now) {
  if (queue.remaining == 0) {
    if (queue.front == PacketStore::kNone) return false;
    return begin_packet(node, queue, now);
  }
  return kWholePackets || node.vcs[queue.vc].credits != 0;
}

template <bool kWholePackets>
void Region::send(NodeInterface& node, SourceQueue& queue, Cycle now) {
  NodeVc& vc = node.vcs[queue.vc];
  const PacketSlot slot = queue.front;
  const Flit flit = next_flit(packets_.packet(slot), slot, queue.remaining, now);
  if (flit.tail()) {
    queue.front = packets_.next(slot);
    queue.at_front = false;
  }
  const unsigned place = queue.vc * ring_ + (vc.ring_position++ & (ring_ - 1));
  node.injection.send(index(now), row_mask_, queue.vc, place, flit);
  const bool pays = !kWholePackets || flit.head;
  if (pays && --vc.credits == 0) node.credited &= ~(VcSet{1} << queue.vc);
  ++node.flits_injected;
  ++totals_.flits_injected;
}

template <bool kWholePackets>
bool Region::has_more(const NodeInterface& node, const SourceQueue& queue, Cycle now) {
  if (queue.remaining != 0) return kWholePackets || node.vcs[queue.vc].credits != 0;
  return queue.front != PacketStore::kNone && (!queue.at_front || now < queue.ready);
}

template <bool kWholePackets>
bool Region::inject_from(NodeInterface& node, SourceQueue& queue, Cycle now) {
  if (can_send<kWholePackets>(node, queue, now)) send<kWholePackets>(node, queue, now);
  return has_more<kWholePackets>(node, queue, now);
}

// A start-up does not wait for its class's turn: start-ups of several classes overlap.
template <bool kWholePackets>
bool Region::inject_by_turns(NodeInterface& node, Cycle now) {
  for (std::size_t c = 0; c < message_classes_; ++c) start_up(node.queues[c], now);
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

template bool Region::inject_from<false>(NodeInterface&, SourceQueue&, Cycle);
template bool Region::inject_from<true>(NodeInterface&, SourceQueue&, Cycle);
template bool Region::inject_by_turns<false>(NodeInterface&, Cycle);
template bool Region::inject_by_turns<true>(NodeInterface&, Cycle);

}  // namespace flitcast
