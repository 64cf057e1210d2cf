// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "collective/gossip/loaded_trail.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// Gossip along edge-disjoint closed trails: the chunks of each circulate on it both ways round,
/// and a node that does not get all of a trail that way is fed with the rest by two neighbours on
/// the trail, over links that no trail uses.
///
/// Every node receives every chunk but its own once, in `rounds` rounds if the circulation and the
/// halves that the suppliers send take no longer. Throws std::logic_error if a node has not exactly
/// two suppliers for a trail that it needs them for.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998).
Schedule trail_gossip(const Grid& torus, const std::vector<LoadedTrail>& trails,
                      std::uint32_t rounds);

}  // namespace flitcast
