// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

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

}  // namespace flitcast
