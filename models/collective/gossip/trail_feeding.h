// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "collective/gossip/loaded_trail.h"
#include "collective/gossip/trail_stream.h"

namespace flitcast {

/// A position of a trail that feeds a node beside it through an output the trail does not use.
struct Supplier {
  std::uint32_t position = 0;
  PortId output{};
};

/// The two streams by which a node gets `wanted` entries of a trail that it gets no other way,
/// each entry once, half of them from either supplier.
///
///   .. b b b b|a a a a X a a|b b b Y b b b b|..     a: from X, b: from Y
///         <-- wanted, centred on the pair -->
///
/// X and Y are the suppliers in the order in which fewer entries lie between them. X sends first
/// what passes it forward, its own entry foremost, Y what passes it backward, until they have
/// served the side away from the other; then each sends half of what lies between them from memory,
/// the nearest first. They take ceil(wanted / 2) and floor(wanted / 2) rounds.
///
/// @param wanted  At least the entries from X to Y, both included; all entries for a node that does
///                not lie on the trail. They must be those that lie around the pair as above.
///
/// Source: Meyer and Sibeyn (1998), section 2, "Changing Direction". There each supplier changes
/// once between the packets running forward and those running backward, without memory; that
/// cannot work, for the entries between the suppliers pass both of them in the first rounds.
std::pair<Stream, Stream> feeding(const LoadedTrail& trail, NodeId fed, Supplier one,
                                  Supplier other, std::uint32_t wanted);

}  // namespace flitcast
