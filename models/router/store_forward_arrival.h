// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of a packet in StoreForwardCore into its slot and into the queues; only
// store_forward_core.h, which declares them, includes this.
#include "router/store_forward_core.h"

namespace flitcast {

template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::accept(const Mask& arrivals, Host& host) {
  if (!arrivals.any()) return;
  arrivals.for_each([&](unsigned i) {
    const Flit& flit = host.landed(port_of(i));
    ++stored_flits;
    if (flit.head) {
      store(i, flit, host);
    } else {
      append(i, flit);
    }
  });
  next_ = 0;
}

template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::store(unsigned i, const Flit& head, Host& host) {
  if (arriving_[i] != nullptr) broken_invariant("head inside a packet", port_of(i), vc_of(i));
  if (inputs[i].count++ == depth) broken_invariant("packet without a slot", port_of(i), vc_of(i));
  StoredPacket& packet = *free_;
  free_ = packet.next_free;
  arriving_[i] = &packet;
  packet.head = head;
  ++packet.head.hops;
  packet.missing = head.remaining;
  packet.input = static_cast<std::uint16_t>(i);
  ends_.set(i);
  make_copies(packet, host);
}

// Computes the route, which takes effect when the copies join their queues.
template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::make_copies(StoredPacket& packet, Host& host) {
  const unsigned port = port_of(packet.input);
  const unsigned vc = vc_of(packet.input);
  branches_->clear();
  host.branches(port, vc, packet.head, *branches_);
  const std::size_t count = branches_->size();
  if (count == 0 || count > copies_per_slot_) {
    broken_invariant("packet without a branch, or with too many", port, vc);
  }
  packet.copies = packet.copies_left = static_cast<std::uint16_t>(count);
  PacketCopy* copy = copies_of(packet);
  for (const Branch& branch : *branches_) {
    if (index(branch.output) >= output_ports || branch.vcs == 0) {
      broken_invariant("branch to no port or to no VC", port, vc);
    }
    copy->packet = &packet;
    copy->vcs = branch.vcs;
    copy->output = index(branch.output);
    copy->route_field = branch.route_field;
    ++copy;
  }
}

template <int kWords>
void StoreForwardCore<kWords>::append(unsigned i, const Flit& flit) {
  StoredPacket* const packet = arriving_[i];
  if (packet == nullptr || flit.packet != packet->head.packet ||
      flit.remaining + 1 != packet->missing) {
    broken_invariant("flit out of order", port_of(i), vc_of(i));
  }
  if (--packet->missing == 0) ends_.set(i);
}

template <int kWords>
PacketCopy* StoreForwardCore<kWords>::copies_of(const StoredPacket& packet) const {
  return copies_ + static_cast<std::size_t>(&packet - slots) * copies_per_slot_;
}

template <int kWords>
bool StoreForwardCore<kWords>::joins_early(const PacketCopy& copy) const {
  return channels[copy.output].to_node || from_node_.test(port_of(copy.packet->input));
}

// Both lists stay in the order of joining, because each of the two delays is the same for all
// copies.
template <int kWords>
void StoreForwardCore<kWords>::start_timers(std::uint64_t now) {
  const std::uint64_t visible = now + pipeline_.route + pipeline_.vc_allocation;
  ends_.for_each([&](unsigned i) {
    StoredPacket& packet = *arriving_[i];
    if (packet.missing == packet.head.remaining) start_timers(packet, true, visible);
    if (packet.missing != 0) return;
    start_timers(packet, false, visible + flit_time_);
    arriving_[i] = nullptr;
  });
  ends_ = Mask{};
}

template <int kWords>
void StoreForwardCore<kWords>::start_timers(StoredPacket& packet, bool early, std::uint64_t joins) {
  PacketCopy* copy = copies_of(packet);
  for (unsigned c = 0; c < packet.copies; ++c, ++copy) {
    if (joins_early(*copy) != early) continue;
    copy->joins = joins;
    (early ? early_ : late_).push_back(*copy);
  }
}

template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::join_due(CopyList& timers, Host& host, std::uint64_t now) {
  while (!timers.empty() && timers.front().joins <= now) {
    PacketCopy& copy = timers.front();
    timers.pop_front();
    join(copy, host);
  }
  if (!timers.empty()) next_ = std::min(next_, timers.front().joins);
}

template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::join(PacketCopy& copy, Host& host) {
  StoreForwardOutput& out = channels[copy.output];
  copy.rank = host.rank(copy.output, copy.packet->head, copy.joins);
  out.queue.insert(copy, [&host](const PacketCopy& a, const PacketCopy& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.joins != b.joins) return a.joins < b.joins;
    return host.packet_id(a.packet->head) < host.packet_id(b.packet->head);
  });
  active_.set(copy.output);
  ++out.length;
  if (out.to_node) return;
  if (out.length > 1) ++held;
  max_queue = std::max(max_queue, out.length);
  max_held = std::max(max_held, held);
}

}  // namespace flitcast
