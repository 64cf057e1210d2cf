// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "collective/hamiltonian_cycles.h"
#include "routing/forwarding_table.h"
#include "topology/grid.h"

namespace flitcast {

/// Gossip in the routers: a packet goes on along the Hamiltonian cycle that it comes by, in its
/// direction, and to every node on its way, until Flit::reach has run out. Port p of a node leads
/// to output p of its router.
///
/// Every channel of the torus belongs to one direction of one cycle, so input and output ports
/// alone say all.
/// @param cycles  Of hamiltonian_cycles(torus).
/// @param torus   Its nodes have at most as many ports as there are directions, 2 per dimension.
/// Source: see ForwardingTable.
ForwardingTable hamiltonian_forwarding_table(const Grid& torus,
                                             const std::vector<HamiltonianCycle>& cycles,
                                             std::size_t virtual_channels);

}  // namespace flitcast
