// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/text_hash.h"
#include "clos/connection_admission.h"
#include "clos/network_state.h"

namespace flitcast::clos {

/// A valid request for a new connection and its outcome.
struct ConnectEvent {
  InputId input{};
  std::vector<OutputId> outputs;  ///< In ascending order.
  Route route;                    ///< Empty if the request was blocked.

  bool blocked() const { return route.empty(); }
};

/// The end of a live connection.
struct DisconnectEvent {
  InputId input{};
};

/// A change of one port of a live connection.
template <class Outcome>
struct PortEvent {
  InputId input{};
  OutputId output{};
  Outcome outcome{};
};
/// A request to add a port.
using JoinEvent = PortEvent<Join>;
/// A port that is dropped.
using LeaveEvent = PortEvent<Leave>;

/// An event of a network.
using Event = std::variant<ConnectEvent, DisconnectEvent, JoinEvent, LeaveEvent>;

/// The line of an event, without its line feed. Two events are equal if their lines are.
///
///   C 4 0,2,4 = 0:5 3:2    input 4 to outputs 0, 2, 4; middle switch 0 serves output switches
///                          {0, 2}, then middle switch 3 serves {1} (sets in hexadecimal)
///   C 1 3 = B              blocked
///   D 4                    end
///   J 4 5 = ok-new         output 5 joins; or ok-local, ok-reuse, ok-reroute, blocked
///   L 4 0 = kept-link      output 0 leaves; or link-freed, closed
std::string to_line(const Event& event);
/// Appends the line of an event, with its line feed.
void append_line(const Event& event, std::string& text);

/// The events of a trace: lines as above, one per line or several separated by semicolons;
/// surrounding blanks and empty lines are ignored.
///
/// @param output_switches  r2, for the sizes of sets.
/// Throws std::invalid_argument with the number and the text of an event that cannot be read.
std::vector<Event> parse_trace(const std::string& text, std::size_t output_switches);

/// A checksum of a trace: 64-bit FNV-1a over its lines, each ended by a line feed. The trace of the
/// single event "D 3" has e0e224746f3abaec.
class TraceHash {
 public:
  void add(const Event& event);
  std::uint64_t value() const { return hash_.value(); }
  /// The line of the last event, with its line feed.
  const std::string& line() const { return line_; }

 private:
  std::string line_;
  TextHash hash_;
};

/// Replays the request of an event; returns it with the outcome of `control`.
/// Throws InvalidRequest for a request that is not valid now.
Event replay(const Event& event, ConnectionAdmission& control);

}  // namespace flitcast::clos
