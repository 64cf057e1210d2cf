// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "routing/routing.h"
#include "topology/grid.h"

namespace flitcast {

// The local forwarding rule of dimension-order broadcast trees, for schedules and routers alike.
//
// The source starts all its lines; a node that was reached in dimension i continues that line and
// starts its lines in the dimensions above i. Every node but the source is thus served once.
//
//   dimension 1     o  o  o  o        A line serves b nodes upwards and a nodes downwards of the
//      ^            |  |  |  |        node that starts it: in a mesh all up to the border; in a
//      |            o--S--o--o        wrapped dimension of size z, b = floor(z / 2) and
//      +--> 0       |  |  |  |        a = z - 1 - b, as if it stood in the middle.
//
// A wrapped line must stop in time, before its two ends meet. Two variants make the same copies:
// one reads a counter in the packet, the other the address of the source. Constant time, no
// allocation. Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori".

/// The direction of a line that a one-port node serves first, in each dimension that it starts.
enum class DirectionRule {
  kFarthest,  ///< The longer one; upwards if both are equally long.
  kSeed,  ///< The rule of the notes: downwards, but the longer one in dimension 0 at the source.
};

/// One copy of the packet that a node passes on.
struct TreeCopy {
  PortId output;
  std::uint32_t reach;  ///< The nodes that it has yet to serve in its direction, at least 1.

  friend constexpr bool operator==(TreeCopy a, TreeCopy b) {
    return a.output == b.output && a.reach == b.reach;
  }
};

/// The copies that one node passes on, in the order in which a one-port node sends them.
using TreeCopies = OutputList<TreeCopy>;

/// The nodes that a line serves beyond the node that starts it, in the direction of an output: b
/// upwards or a downwards. All nodes that start a line in this dimension have the source's
/// coordinate there, so the answer is the same for each of them.
std::uint32_t line_reach(const Grid& grid, NodeId start, PortId output);

/// The copies that a node makes of a packet with a counter of the nodes it has yet to serve, this
/// node included.
/// @param input  The port by which the packet came in; grid.local() at the source.
/// @param reach  TreeCopy::reach of the copy, at least 1; ignored at the source.
TreeCopies copies_by_counter(const Grid& grid, NodeId here, PortId input, std::uint32_t reach,
                             DirectionRule rule = DirectionRule::kFarthest);

/// The copies that a node makes of a packet with the address of its source: a node b (or a) places
/// from the source does not continue the line.
TreeCopies copies_by_source(const Grid& grid, NodeId here, PortId input, NodeId source,
                            DirectionRule rule = DirectionRule::kFarthest);

}  // namespace flitcast
