// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "clos/adversaries/opponent.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// True if the event is a request, or a join, that was blocked.
bool is_blocked(const Event& event);

/// Plays the requests of `trace` from the empty network, skipping those that are not valid at their
/// turn, up to the first that is blocked; returns the played events with their new outcomes, or
/// nothing if none was blocked. replay() repeats the result without a difference.
std::optional<std::vector<Event>> until_blocked(const std::vector<Event>& trace,
                                                const Opponent& opponent);

/// A part of a blocking sequence that still blocks and is locally minimal: without any one of its
/// events, or any one port of a multicast, no request is blocked any more. It is not necessarily
/// shortest, and depends only on the arguments.
///
/// Delta debugging: drops events by halves, quarters and so on, then single ports, until nothing
/// changes; events that a drop makes invalid go with it.
/// Time: events of the trace times length of the result, as a rule.
/// Source: Zeller and Hildebrandt, IEEE Trans. Software Engineering 28 (2002).
/// Throws std::invalid_argument if the trace does not block.
std::vector<Event> shrink(const std::vector<Event>& trace, const Opponent& opponent);

}  // namespace flitcast::clos
