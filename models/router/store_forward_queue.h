// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/flit.h"
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
  std::uint16_t reach = 0;  ///< Flit::reach of its head.
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

}  // namespace flitcast
