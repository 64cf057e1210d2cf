// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "clos/trace.h"

namespace flitcast::clos {

/// The first event of a trace whose outcome differs in a replay.
struct ReplayDifference {
  std::size_t event = 0;  ///< Counted from 1.
  std::string expected;   ///< Its line in the trace.
  std::string got;        ///< Its line now.
};

/// Replays a trace up to the first event with another outcome; nothing if all outcomes are equal.
/// Throws InvalidRequest, with the number and the line of the event, for one that is not valid.
inline std::optional<ReplayDifference> replay(const std::vector<Event>& trace,
                                              ConnectionAdmission& control) {
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
