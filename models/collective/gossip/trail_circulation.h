// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/gossip/loaded_trail.h"
#include "collective/gossip/trail_stream.h"

namespace flitcast {

/// How many entries a position takes in from either side of a trail.
struct Intake {
  std::uint32_t from_behind = 0;  ///< Travelling forward.
  std::uint32_t from_ahead = 0;   ///< Travelling backward.
};

/// The intakes by which nobody receives an entry twice in `rounds` rounds, one for each position.
///
/// The entries between two positions of a node (all the others, if it has only one position) go to
/// the nearer of the two, the middle one to the later; none comes from further than `rounds`.
/// @param nodes  Of the network.
std::vector<Intake> intakes(const LoadedTrail& trail, std::size_t nodes, std::uint32_t rounds);

/// The streams of a circulation: in round t, from 1 up, the channel that leaves a position forward
/// carries the (t-1)-th entry before the position's last one, the channel that leaves it backward
/// the (t-1)-th after its first one, both until the receiver's intake is complete. A position that
/// owns w entries thus delays the others by w rounds, and no channel idles in between.
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 2, which
/// leaves open in which order the two packets of a node go out.
std::vector<Stream> circulation(const LoadedTrail& trail, const std::vector<Intake>& intakes);

}  // namespace flitcast
