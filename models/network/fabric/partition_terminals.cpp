// SPDX-License-Identifier: Apache-2.0
// Terminals and reset, called between two ticks; the rest of Partition is in partition.cpp.
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "network/fabric/partition.h"
#include "router/invariant.h"

namespace flitcast {

std::size_t Partition::waiting(std::uint32_t local, std::size_t message_class) const {
  std::size_t packets = 0;
  for (std::size_t port = 0; port < node_ports_; ++port) {
    const NodeInterface& node = interfaces_[local * node_ports_ + port];
    packets += node.queues[message_class].backlog(packets_).packets;
  }
  return packets;
}

void Partition::bound_ejection(std::uint32_t local, std::uint32_t slots, bool for_replies) {
  if (bounded_nodes_.empty()) bounded_nodes_.resize(node_ids_.size());
  nodes_apart_ = true;
  auto bounded = std::make_unique<BoundedNode>();
  bounded->slots.assign(message_classes_, slots);
  bounded->most = slots;
  bounded->ports.resize(node_ports_);
  for (std::size_t port = 0; port < node_ports_; ++port) {
    EjectionBuffer& buffer = bounded->ports[port];
    buffer.slots = &bounded->slots;
    buffer.held.resize(context_.params.router.virtual_channels);
    if (for_replies) buffer.fronts.assign(message_classes_, PacketStore::kNone);
    interfaces_[local * node_ports_ + port].bounded = &buffer;
  }
  bounded_nodes_[local] = std::move(bounded);
}

void Partition::stream_ejection(std::uint32_t local, std::uint8_t message_class) {
  if (interfaces_[local].bounded == nullptr) bound_ejection(local, 0);
  interfaces_[local].bounded->streamed |= 1U << message_class;
  empty_bounded_nodes();
}

// Returns the VCs whose front flit the receiver can accept.
VcSet Partition::takeable(const EjectionBuffer& buffer) const {
  VcSet vcs = 0;
  for (unsigned vc = 0; vc < buffer.held.size(); ++vc) {
    if (buffer.held[vc].empty()) continue;
    const Flit& front = buffer.held[vc].front();
    const std::uint32_t* const free = front.head ? slot_for(buffer, front) : nullptr;
    const bool taken = buffer.streamed == 0 || buffer.accepted[vc] != 0;
    vcs |= VcSet{taken && (free == nullptr || *free != 0)} << vc;
  }
  return vcs;
}

// The number of free slots from which the packet takes one; null if the packet needs no slot.
std::uint32_t* Partition::slot_for(const EjectionBuffer& buffer, const Flit& head) const {
  if (buffer.streamed != 0) return nullptr;
  const PacketStore& owner = context_.peers[PacketStore::partition_of(head.packet)]->packets_;
  const std::uint8_t message_class = owner.packet(head.packet).message_class;
  if (buffer.fronts.empty()) return &(*buffer.slots)[message_class];
  const auto reply = context_.params.message_classes[message_class].reply;
  return reply ? &(*buffer.slots)[*reply] : nullptr;
}

// A port sends one flit per cycle, so at most one packet of each queue has left in the last cycle.
void Partition::reclaim_slots() {
  for (const NodeInterface& node : interfaces_) {
    EjectionBuffer& buffer = *node.bounded;
    for (std::size_t c = 0; c < message_classes_; ++c) {
      const PacketSlot front = std::exchange(buffer.fronts[c], node.queues[c].front);
      if (front == PacketStore::kNone || front == node.queues[c].front || !is_reply_[c]) continue;
      if ((*buffer.slots)[c]++ == context_.params.reply_queue) {
        throw InvariantError("a reply has left that had no slot");
      }
    }
  }
}

void Partition::free_slots(std::uint32_t local, std::size_t message_class, std::uint32_t slots) {
  bounded_nodes_[local]->slots[message_class] += slots;
}

void Partition::reset(const std::function<void(const Packet&, std::uint32_t)>& lost) {
  for (Partition* peer : context_.peers) {
    for (auto& by_owner : peer->returned_) {
      for (const PacketSlot slot : by_owner[number_]) packets_.arrived(slot);
      by_owner[number_].clear();
    }
  }
  packets_.for_each([&](PacketSlot slot, const Packet& packet, std::uint32_t due) {
    totals_.receivers_dropped += due;
    if (probe_ != nullptr && due == packet.receivers) probe_->dropped(packet);
    lost(packet, due);
    for (; due != 0; --due) packets_.arrived(slot);
  });
  deliveries_.clear();
  for (WakeRows& wakes : router_wakes_) wakes.clear();
  for (WakeRows& wakes : node_wakes_) wakes.clear();
  std::fill(awake_routers_.begin(), awake_routers_.end(), 0);
  std::fill(awake_interfaces_.begin(), awake_interfaces_.end(), 0);
  std::fill(node_rows_.begin(), node_rows_.end(), 0);
  for (std::size_t i = 0; i < interfaces_.size(); ++i) init_interface(i);
  empty_bounded_nodes();
  remake_routers();
}

void Partition::empty_bounded_nodes() {
  for (const auto& bounded : bounded_nodes_) {
    if (bounded == nullptr) continue;
    bounded->slots.assign(message_classes_, bounded->most);
    for (EjectionBuffer& port : bounded->ports) {
      for (std::deque<Flit>& held : port.held) held.clear();
      std::fill(port.fronts.begin(), port.fronts.end(), PacketStore::kNone);
      port.last_vc = port.streamed == 0 ? 0 : kMaxVirtualChannels - 1;
      port.accepted.assign(port.held.size(), 0);
    }
  }
}

}  // namespace flitcast
