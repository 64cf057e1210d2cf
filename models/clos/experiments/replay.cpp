// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/replay.h"

#include <fmt/format.h>

namespace flitcast::clos {
namespace {

Event again(const ConnectEvent& event, Control& control) {
  return connect_event(event.input, event.outputs, control.connect(event.input, event.outputs));
}

Event again(const DisconnectEvent& event, Control& control) {
  control.disconnect(event.input);
  return event;
}

Event again(const JoinEvent& event, Control& control) {
  return JoinEvent{event.input, event.output, control.join(event.input, event.output)};
}

Event again(const LeaveEvent& event, Control& control) {
  return LeaveEvent{event.input, event.output, control.leave(event.input, event.output)};
}

}  // namespace

Event replay(const Event& event, Control& control) {
  return std::visit([&](const auto& it) { return again(it, control); }, event);
}

std::optional<ReplayDifference> replay(const std::vector<Event>& trace, Control& control) {
  std::size_t number = 0;
  for (const Event& event : trace) {
    ++number;
    const std::string expected = to_line(event);
    try {
      const std::string got = to_line(replay(event, control));
      if (got != expected) return ReplayDifference{number, expected, got};
    } catch (const InvalidRequest& error) {
      throw InvalidRequest(fmt::format("event {} \"{}\": {}", number, expected, error.what()));
    }
  }
  return std::nullopt;
}

}  // namespace flitcast::clos
