// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Who informs whom.
struct NodePair {
  NodeId from{};
  NodeId to{};
};

/// The other port of a grid's dimension: what leaves by `port` enters the next router by it, and
/// what enters by `port` goes straight on by it. Also the output back along a link.
constexpr PortId opposite(PortId port) { return PortId(index(port) ^ 1U); }

/// The node that an output of a grid leads to; the port must be connected.
NodeId neighbour(const Grid& grid, NodeId node, PortId output);

/// Appends |steps| hops in one dimension, upwards for positive steps.
void append_hops(std::vector<PortId>& path, std::size_t dimension, std::int64_t steps);

/// The node that lies `steps` places further in a dimension; wraps round where the grid does, and
/// must stay inside where it does not.
NodeId shifted(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t steps);

/// The shortest way by dimension order: dimension 0 first (XY), or last with `descending` (YX). In
/// a wrapped dimension the shorter way; at exactly half way round plus, or minus if bit d of
/// `minus_ties` is set.
std::vector<PortId> dimension_order_path(const Grid& grid, NodeId from, NodeId to,
                                         bool descending = false, std::uint8_t minus_ties = 0);

/// The e-cube path: differing bits, most significant first.
std::vector<PortId> e_cube_path(const Hypercube& cube, NodeId from, NodeId to);

/// Flit::ties of a packet that is to take a path, as DimensionOrder and O1Turn read them: on grids
/// bit d is set where the path goes down dimension d, and bit `dimensions` where it takes the
/// dimensions in descending order. 0 elsewhere.
std::uint8_t header_bits(const Topology& topology, const Path& path);

/// The first send whose path is not the one that the routing takes with those header bits, or
/// nothing if the routing carries out the schedule as it is. O(sends * hops).
std::optional<std::size_t> first_unroutable(const Topology& topology, const Routing& routing,
                                            const Schedule& schedule);

}  // namespace flitcast
