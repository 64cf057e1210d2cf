// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "collective/discipline.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// Writes a schedule for others to judge: one send a line, in decimal, rounds from 1.
///
///   store-and-forward   round from to packet [+|-]   packet: the chunk's number, see Demand
///   wormhole            round from to node...        the nodes between from and to on the path
///
/// The sign is written only where two links join `from` and `to`, in a wrapped dimension of size 2:
/// it tells the output, Grid::plus or Grid::minus. Paths must stay in the network; node n sits at
/// router n. O(sends + hops).
void write_dump(std::ostream& out, const Topology& topology, const Schedule& schedule,
                Switching switching);

}  // namespace flitcast
