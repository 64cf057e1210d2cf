// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <systemc>
#include <utility>

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
    entries_.emplace(sc_core::sc_time_stamp() + delay, std::move(entry));
    event_.notify(delay);
  }

  /// Removes and returns the next due entry; if none is due, the event is notified again when one
  /// is.
  bool take(Entry& entry) {
    if (entries_.empty()) return false;
    const auto next = entries_.begin();
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (next->first > now) {
      event_.notify(next->first - now);
      return false;
    }
    entry = std::move(next->second);
    entries_.erase(next);
    return true;
  }

 private:
  sc_core::sc_event event_;
  std::multimap<sc_core::sc_time, Entry> entries_;  // Equal times keep the order of insertion.
};

}  // namespace flitcast::tlm
