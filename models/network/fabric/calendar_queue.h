// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The cycles in which the sources of the nodes of a partition are to be polled for packets, in a
/// timing wheel: the run time of a cycle is proportional to the number of entries due in that
/// cycle. An entry more than one turn ahead is visited once per turn.
class CalendarQueue {
 public:
  explicit CalendarQueue(std::size_t nodes) : entries_(nodes) { wheel_.fill(kNone); }

  Cycle due(std::uint32_t node) const { return entries_[node].due; }

  /// The cycle of the earliest entry, if no entry is due before `from`; kNever if there are no
  /// entries. Visits the cycles of one turn, and all nodes only if no entry is due in that turn.
  Cycle next_due(Cycle from) const {
    for (std::uint64_t ahead = 0; ahead < kTurn; ++ahead) {
      if (any_due(from + ahead)) return from + ahead;
    }
    Cycle next = kNever;
    for (const Entry& entry : entries_) next = std::min(next, entry.due);
    return next;
  }

  /// Replaces the node's entry; kNever removes it.
  void schedule(std::uint32_t node, Cycle cycle) {
    if (entries_[node].due != kNever) unlink(node);
    entries_[node].due = cycle;
    if (cycle != kNever) link(node);
  }

  /// Makes the node's entry due in `cycle` or earlier.
  void bring_forward(std::uint32_t node, Cycle cycle) {
    if (cycle < due(node)) schedule(node, cycle);
  }

  /// Removes the entries due at `now` and calls visit(node) for each, in no particular order.
  template <class Visit>
  void take_due(Cycle now, Visit&& visit) {
    std::uint32_t node = wheel_[turn(now)];
    while (node != kNone) {
      const std::uint32_t next = entries_[node].next;
      if (entries_[node].due == now) {
        unlink(node);
        entries_[node].due = kNever;
        visit(node);
      }
      node = next;
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::size_t kTurn = 1024;
  struct Entry {
    Cycle due = kNever;
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;
  };

  static std::size_t turn(Cycle cycle) { return index(cycle) % kTurn; }

  bool any_due(Cycle cycle) const {
    for (std::uint32_t node = wheel_[turn(cycle)]; node != kNone; node = entries_[node].next) {
      if (entries_[node].due == cycle) return true;
    }
    return false;
  }
  void link(std::uint32_t node) {
    std::uint32_t& first = wheel_[turn(entries_[node].due)];
    entries_[node].previous = kNone;
    entries_[node].next = first;
    if (first != kNone) entries_[first].previous = node;
    first = node;
  }
  void unlink(std::uint32_t node) {
    const Entry& entry = entries_[node];
    if (entry.next != kNone) entries_[entry.next].previous = entry.previous;
    if (entry.previous != kNone) {
      entries_[entry.previous].next = entry.next;
    } else {
      wheel_[turn(entry.due)] = entry.next;
    }
  }

  std::vector<Entry> entries_;
  std::array<std::uint32_t, kTurn> wheel_;
};

}  // namespace flitcast
