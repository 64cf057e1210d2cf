// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <utility>
#include <vector>

namespace flitcast::tlm {

/// A queue of actions that a module performs at later times, in order of time and then of
/// insertion.
///
/// Calls from other modules are recorded and processed by a process of this module, so that calls
/// over sockets never nest. The process is sensitive to event() and takes due entries until none is
/// left.
template <class Entry>
class Agenda {
 public:
  explicit Agenda(const char* event_name) : event_(event_name) {}

  const sc_core::sc_event& event() const { return event_; }
  /// @param delay  Counts from the current time.
  void note(const sc_core::sc_time& delay, Entry entry) {
    heap_.push_back({sc_core::sc_time_stamp() + delay, next_++, std::move(entry)});
    std::push_heap(heap_.begin(), heap_.end(), later);
    event_.notify(delay);
  }

  /// Removes and returns the next due entry; if none is due, the event is notified again when one
  /// is.
  bool take(Entry& entry) {
    if (heap_.empty()) return false;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (heap_.front().at > now) {
      event_.notify(heap_.front().at - now);
      return false;
    }
    std::pop_heap(heap_.begin(), heap_.end(), later);
    entry = std::move(heap_.back().entry);
    heap_.pop_back();
    return true;
  }

 private:
  struct Item {
    sc_core::sc_time at;
    std::uint64_t number;
    Entry entry;
  };
  static bool later(const Item& a, const Item& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }

  sc_core::sc_event event_;
  std::vector<Item> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace flitcast::tlm
