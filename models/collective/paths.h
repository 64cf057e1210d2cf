// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// Whether node n sits at router n, for all n: where paths of nodes are paths of routers. There may
/// be further routers.
bool nodes_sit_at_routers(const Topology& topology);

/// The node that an output of a grid leads to; the port must be connected.
NodeId neighbour(const Grid& grid, NodeId node, PortId output);

/// Steps from a node to another in one dimension, upwards if positive: the shorter way round where
/// the grid wraps, and at exactly half way round minus if so wished.
std::int64_t shortest_steps(const Grid& grid, std::size_t dimension, NodeId from, NodeId to,
                            bool minus_on_tie = false);

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

/// The local forwarding rule of dimension-order broadcast trees, for schedules and routers alike.
///
/// The source starts all its lines; a node that was reached in dimension i continues that line and
/// starts its lines in the dimensions above i. Every node but the source is thus served once.
///
///   dimension 1     o  o  o  o        A line serves b nodes upwards and a nodes downwards of the
///      ^            |  |  |  |        node that starts it: in a mesh all up to the border; in a
///      |            o--S--o--o        wrapped dimension of size z, b = floor(z / 2) and
///      +--> 0       |  |  |  |        a = z - 1 - b, as if it stood in the middle.
///
/// A wrapped line must be stopped in time. The decision comes in two forms, which answer alike: by
/// a counter in the packet, or by the source's address in it. Constant time and no allocation.
/// Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori".

/// Which direction of a line a one-port node serves first, in each dimension that it starts.
enum class DirectionRule {
  kFarthest,  ///< The longer one; plus where they are equally long.
  kSeed,      ///< As the notes have it: minus, except for dimension 0 at the source: the longer.
};

/// One copy of the packet that a node passes on.
struct TreeCopy {
  PortId output{};
  std::uint32_t reach = 0;  ///< Nodes that it has yet to serve in its direction; 1 at least.

  friend constexpr bool operator==(TreeCopy a, TreeCopy b) {
    return a.output == b.output && a.reach == b.reach;
  }
};

/// The copies that one node passes on, in the order in which a one-port node sends them.
class TreeCopies {
 public:
  void add(TreeCopy copy) { copies_[size_++] = copy; }
  std::size_t size() const { return size_; }
  const TreeCopy* begin() const { return copies_.data(); }
  const TreeCopy* end() const { return copies_.data() + size_; }

 private:
  std::array<TreeCopy, 2 * Grid::kMaxDimensions> copies_;
  std::size_t size_ = 0;
};

/// The nodes that a line serves beyond the node that starts it, in the direction of an output: b or
/// a. For the source as for all that start a line: they share its place in that dimension.
std::uint32_t line_reach(const Grid& grid, NodeId start, PortId output);

/// What a node does when a packet comes in that says how many nodes it has yet to serve, this one
/// included.
///
/// @param input  Where it came in; grid.local() at the source.
/// @param reach  TreeCopy::reach of the copy, 1 at least; not looked at at the source.
TreeCopies copies_by_counter(const Grid& grid, NodeId here, PortId input, std::uint32_t reach,
                             DirectionRule rule = DirectionRule::kFarthest);

/// The same from a packet that carries its source's address instead: a node that lies b (or a)
/// places from the source does not continue the line.
TreeCopies copies_by_source(const Grid& grid, NodeId here, PortId input, NodeId source,
                            DirectionRule rule = DirectionRule::kFarthest);

}  // namespace flitcast
