// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Flit::ties of a packet that is to take a path, as DimensionOrder and O1Turn read them: on grids
/// bit d is set where the path goes down dimension d, and bit `dimensions` where it takes the
/// dimensions in descending order. 0 elsewhere.
std::uint8_t header_bits(const Topology& topology, const Path& path);

/// The first send whose path is not the one that the routing takes with those header bits, or
/// nothing if the routing carries out the schedule as it is. O(sends * hops).
std::optional<std::size_t> first_unroutable(const Topology& topology, const Routing& routing,
                                            const Schedule& schedule);

}  // namespace flitcast
