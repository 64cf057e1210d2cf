// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/flit.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// A packet in its slot. The head represents the packet, because the flits behind it carry nothing
/// of their own but Flit::remaining.
struct StoredPacket {
  Flit head{};
  StoredPacket* next_free = nullptr;  ///< The next free slot; valid while this slot is free.
  std::uint16_t missing = 0;          ///< Flits that have yet to arrive.
  std::uint16_t input = 0;            ///< Index of the input VC that the packet came by.
  std::uint16_t copies = 0;           ///< Outputs by which the packet leaves.
  std::uint16_t copies_left = 0;      ///< Outputs by which its tail has yet to leave.

  std::uint32_t length() const { return head.remaining + 1U; }
  /// True if the flit with this Flit::remaining has arrived.
  bool has(std::uint32_t remaining) const { return remaining >= missing; }
};

static_assert(sizeof(StoredPacket) == 32, "two slots to a cache line");

/// A copy of a stored packet for one output: it waits for a timer, then in the queue of the output,
/// then leaves.
struct PacketCopy {
  std::uint64_t joins = 0;  ///< The cycle in which the copy joins the queue of its output.
  StoredPacket* packet = nullptr;
  PacketCopy* next = nullptr;  ///< The next copy in the same list.
  std::uint32_t rank = 0;      ///< Rank in the queue; the smallest leaves first.
  VcSet vcs = 0;               ///< Output VCs that the copy may take.
  std::uint16_t output = 0;
  std::uint16_t route_field = 0;  ///< Flit::route_field of the copy's head.
};

/// A singly linked list of copies, each of which is in at most one list; the first leaves first.
class CopyList {
 public:
  bool empty() const { return front_ == nullptr; }
  PacketCopy& front() { return *front_; }  ///< Only while not empty().

  void push_back(PacketCopy& copy) {
    copy.next = nullptr;
    (front_ == nullptr ? front_ : back_->next) = &copy;
    back_ = &copy;
  }

  void pop_front() { front_ = front_->next; }  ///< Only while not empty().

  /// Inserts `copy` in front of the first listed copy for which before(copy, listed) is true, or at
  /// the end if there is none. Insertion at the end takes constant time, as in a queue of packets
  /// of equal rank.
  template <class Before>
  void insert(PacketCopy& copy, Before&& before) {
    if (empty() || !before(copy, *back_)) return push_back(copy);
    PacketCopy** link = &front_;
    while (!before(copy, **link)) link = &(*link)->next;
    copy.next = *link;
    *link = &copy;
  }

  /// Removes and returns the first copy for which fits(copy) is true; null if there is none.
  template <class Fits>
  PacketCopy* take_first(Fits&& fits) {
    PacketCopy* previous = nullptr;
    for (PacketCopy* copy = front_; copy != nullptr; previous = copy, copy = copy->next) {
      if (!fits(*copy)) continue;
      (previous == nullptr ? front_ : previous->next) = copy->next;
      if (copy == back_) back_ = previous;
      return copy;
    }
    return nullptr;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const PacketCopy* copy = front_; copy != nullptr; copy = copy->next) visit(*copy);
  }

 private:
  PacketCopy* front_ = nullptr;
  PacketCopy* back_ = nullptr;  // Meaningless while front_ is null.
};

/// An output of a store-and-forward router: its queue, its channel, and the packet that leaves.
struct StoreForwardOutput {
  CopyList queue;
  PacketCopy* leaving = nullptr;
  std::uint64_t free_at = 0;          ///< The first cycle in which the channel takes another flit.
  std::uint32_t flits_left = 0;       ///< Flits of `leaving` that have yet to leave.
  std::uint32_t cycles_per_flit = 1;  ///< Cycles that the channel takes per flit.
  std::uint32_t pause = 0;            ///< Idle cycles of the channel after each packet.
  std::uint32_t length = 0;           ///< Packets in the queue, not counting the leaving one.
  std::uint8_t vc = kMaxVirtualChannels - 1;  ///< The VC granted last: the round-robin pointer.
  bool to_node = false;
  std::uint16_t space = 0;  ///< Slots of each VC behind the channel.
};

static_assert(sizeof(StoreForwardOutput) <= 64, "an output fits in a cache line");

/// The additional state of a store-and-forward router.
struct StoreForwardState : RouterState {
  StoreForwardOutput* channels = nullptr;  ///< One per output port.
  /// Slots for packets, `depth` for each VC of each input; free while StoredPacket::copies_left is
  /// 0.
  StoredPacket* slots = nullptr;
  std::uint32_t slot_count = 0;
  /// Q: the longest queue of an output to another router, in packets, measured after all copies of
  /// a cycle have joined and before one leaves.
  std::uint32_t max_queue = 0;
  /// H: the largest number of packets, measured at the same moments, in the queues of outputs to
  /// other routers, not counting the first packet of each queue: the least buffer space if every
  /// output has a register.
  std::uint32_t max_held = 0;
  std::uint32_t held = 0;  ///< The current number of these packets; max_held is the largest.

  /// Calls visit(input VC index, output port, VCs it may take, head) for every copy in a queue, in
  /// the order in which each queue would leave.
  template <class Visit>
  void for_each_queued(Visit&& visit) const {
    for (unsigned output = 0; output < output_ports; ++output) {
      channels[output].queue.for_each([&](const PacketCopy& copy) {
        visit(unsigned{copy.packet->input}, output, copy.vcs, copy.packet->head);
      });
    }
  }
};

}  // namespace flitcast
