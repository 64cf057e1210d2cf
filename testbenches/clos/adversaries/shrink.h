// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "clos/adversaries/opponent.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// Whether the event is a request, or a join, that was blocked.
bool is_blocked(const Event& event);

/// Plays the requests of `trace` from the empty network, without those that are not valid when
/// their turn comes, up to the first that is blocked; returns what was played with its outcomes
/// now, or nothing if none was blocked. What it returns, replay() plays without a difference.
std::optional<std::vector<Event>> until_blocked(const std::vector<Event>& trace,
                                                const Opponent& opponent);

/// A part of a blocking sequence that still blocks and from which nothing can be dropped: without
/// any one of its events, or any one port of a multicast, no request is blocked any more. Locally
/// minimal, not shortest; which part depends on nothing but the arguments.
///
/// Delta debugging: drops events by halves, quarters and so on, then single ports, until nothing
/// changes; events that a drop makes invalid go with it.
/// Time: events of the trace times length of the result, as a rule.
/// Source: Zeller and Hildebrandt, IEEE Trans. Software Engineering 28 (2002).
/// Throws std::invalid_argument if the trace does not block.
std::vector<Event> shrink(const std::vector<Event>& trace, const Opponent& opponent);

}  // namespace flitcast::clos
