// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "clos/control.h"
#include "clos/experiments/trace.h"

namespace flitcast::clos {

/// The first event of a trace that ends otherwise when it is played again.
struct ReplayDifference {
  std::size_t event = 0;  ///< Counted from 1.
  std::string expected;   ///< Its line in the trace.
  std::string got;        ///< Its line now.
};

/// Lets an event happen again: its request, and whatever outcome `control` gives it. Throws
/// InvalidRequest for a request that is not valid now.
Event replay(const Event& event, Control& control);

/// Plays a trace up to the first event with another outcome; nothing if all outcomes are equal.
/// Throws InvalidRequest, with the number and the line of the event, for one that is not valid.
std::optional<ReplayDifference> replay(const std::vector<Event>& trace, Control& control);

}  // namespace flitcast::clos
