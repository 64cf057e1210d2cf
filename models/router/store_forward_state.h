// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/bump_allocator.h"
#include "router/router_params.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// A packet in its place. Body flits carry nothing but their number, so the head stands for all.
struct StoredPacket {
  Flit head{};
  StoredPacket* next_free = nullptr;  ///< While nobody has the place.
  std::uint16_t missing = 0;          ///< Flits that have yet to arrive.
  std::uint16_t input = 0;            ///< Index of the input VC that the place belongs to.
  std::uint16_t copies = 0;           ///< Outputs that it leaves by,
  std::uint16_t copies_left = 0;      ///< and those by which its tail has yet to leave.

  std::uint32_t length() const { return head.remaining + 1U; }
  /// Whether the flit that `remaining` others follow has arrived.
  bool has(std::uint32_t remaining) const { return remaining >= missing; }
};

static_assert(sizeof(StoredPacket) == 32, "two places to a cache line");

/// The way of a stored packet out by one output: under a timer, then in the output's queue, then
/// leaving.
struct PacketCopy {
  std::uint64_t joins = 0;  ///< The cycle in which it joins the queue of its output.
  StoredPacket* packet = nullptr;
  PacketCopy* next = nullptr;  ///< Behind it in the list that it is in.
  std::uint32_t rank = 0;      ///< In the queue; smaller leaves first.
  VcSet vcs = 0;               ///< Output VCs that it may take.
  std::uint16_t output = 0;
  std::uint16_t route_field = 0;  ///< Flit::route_field of its head.
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

  /// Inserts behind all that need not let it pass: in front of the first that it comes `before`.
  /// Constant time where it comes last, as in a queue of packets of equal rank.
  template <class Before>
  void insert(PacketCopy& copy, Before&& before) {
    if (empty() || !before(copy, *back_)) return push_back(copy);
    PacketCopy** link = &front_;
    while (!before(copy, **link)) link = &(*link)->next;
    copy.next = *link;
    *link = &copy;
  }

  /// Takes out the first that fits; null if none does.
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
  std::uint32_t flits_left = 0;       ///< Of `leaving`, yet to leave.
  std::uint32_t cycles_per_flit = 1;  ///< Of the channel.
  std::uint32_t pause = 0;            ///< Cycles that the channel rests after each packet.
  std::uint32_t length = 0;           ///< Packets in the queue; the leaving one is none of them.
  std::uint8_t vc = kMaxVirtualChannels - 1;  ///< Granted last: the round-robin pointer.
  bool to_node = false;
};

static_assert(sizeof(StoreForwardOutput) <= 64, "an output fits in a cache line");

/// What a router that keeps packets whole adds to the state that all routers share.
struct StoreForwardState : RouterState {
  StoreForwardOutput* channels = nullptr;  ///< One per output port.
  /// All places; in one that is taken StoredPacket::copies_left is not 0.
  StoredPacket* places = nullptr;
  std::uint32_t slots_count = 0;
  /// Q: the longest queue of an output to another router, in packets, when all that join in a cycle
  /// have joined and none has left.
  std::uint32_t max_queue = 0;
  /// H: the most packets at such a moment that the queues of outputs to other routers hold besides
  /// the first of each: the strict buffer need where every output has a register of its own.
  std::uint32_t max_held = 0;
  std::uint32_t held = 0;  ///< Now.

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

/// The arrays that a store-and-forward router of a given shape works in.
struct StoreForwardMemory {
  /// Laid into a block aligned to 16, or only measured when there is none.
  StoreForwardMemory(std::byte* block, const RouterParams& params, std::size_t input_ports,
                     std::size_t output_ports);

  std::size_t bytes = 0;
  std::size_t slots_count = 0;     ///< buffer_depth for each input VC index.
  std::size_t copies_of_slot = 0;  ///< Outputs that a packet can leave by at most.
  InputVc* inputs = nullptr;
  OutputVc* outputs = nullptr;
  SwitchPointers* pointers = nullptr;
  StoreForwardOutput* channels = nullptr;  ///< Per output port.
  StoredPacket** arriving = nullptr;  ///< Per input VC: the packet whose tail is still to come.
  std::uint16_t* owed = nullptr;      ///< Per input VC: credits that have yet to go.
  StoredPacket* places = nullptr;
  PacketCopy* copies = nullptr;  ///< copies_of_slot for each place.
  Branches* branches = nullptr;  ///< One, to ask the routing with.
};

inline StoreForwardMemory::StoreForwardMemory(std::byte* block, const RouterParams& params,
                                              std::size_t input_ports, std::size_t output_ports) {
  const std::size_t stride = std::size_t{1} << detail::log2_ceil(params.virtual_channels);
  slots_count = input_ports * params.virtual_channels * params.buffer_depth;
  copies_of_slot = params.multicast ? output_ports : 1;
  detail::BumpAllocator arena(block);
  channels = arena.take<StoreForwardOutput>(output_ports);
  inputs = arena.take<InputVc>(input_ports * stride);
  outputs = arena.take<OutputVc>(output_ports * stride);
  pointers = arena.take<SwitchPointers>(input_ports);
  arriving = arena.take<StoredPacket*>(input_ports * stride);
  owed = arena.take<std::uint16_t>(input_ports * stride);
  places = arena.take<StoredPacket>(slots_count);
  copies = arena.take<PacketCopy>(slots_count * copies_of_slot);
  branches = arena.take<Branches>(1);
  bytes = arena.used();
}

}  // namespace flitcast
