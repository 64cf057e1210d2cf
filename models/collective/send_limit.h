// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "topology/topology.h"

namespace flitcast {

/// Most sends of a generated schedule: 4.5 GiB of them, well within the 32 bits of Send::first_hop.
inline constexpr std::size_t kMostSends = std::size_t{1} << 28;

/// Throws PreconditionError (kTopology) for a schedule of more than kMostSends: to be called before
/// it takes the memory.
/// @param remedy  With the largest instance that fits: "use a hypercube of dimension 14 or less".
void require_sends(const Topology& topology, std::size_t sends, const std::string& remedy);

/// The sends of a gossip in which every node receives every chunk but its own once.
std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node);

/// require_sends() for such a gossip; the remedy names the most nodes that fit: 16384 with one
/// chunk a node, 11585 with two.
void require_gossip_sends(const Topology& topology, std::size_t chunks_per_node);

}  // namespace flitcast
