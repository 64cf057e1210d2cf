// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/forwarding/forwarding.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "collective/tree_copies.h"
#include "topology/grid.h"

namespace flitcast {
namespace {

/// The variant of a dimension-order tree.
struct DimensionOrderTree {
  unsigned ports = kAllPorts;                     ///< The port model: 1 or kAllPorts.
  DirectionRule rule = DirectionRule::kFarthest;  ///< Affects one-port nodes only.
  /// False: wrapped lines continue until they meet nodes that hold the packet. All-port only.
  bool stop_in_time = true;
};

Precondition all_ports_or_stop(const DimensionOrderTree& tree) {
  if (tree.stop_in_time || tree.ports == kAllPorts) return {};
  return violated("the dimension-order tree that does not stop in time is all-port, not one-port",
                  "use all ports, or stop in time", PreconditionError::Subject::kPorts);
}

/// The rounds that a dimension adds to those of the dimensions below it.
std::size_t rounds_in(const Grid& grid, NodeId source, std::size_t dimension,
                      const DimensionOrderTree& tree) {
  const std::size_t up = line_reach(grid, source, Grid::plus(dimension));
  const std::size_t down = line_reach(grid, source, Grid::minus(dimension));
  const std::size_t longer = std::max(up, down);
  if (tree.ports == kAllPorts || up == 0 || down == 0) return longer;
  const bool minus_first = tree.rule == DirectionRule::kSeed && dimension > 0;
  return minus_first ? std::max(down, up + 1) : longer + (up == down ? 1 : 0);
}

/// The duplicates in one line that does not stop in time.
std::size_t duplicates_of_line(const Grid& grid, std::size_t dimension) {
  const std::size_t size = grid.size(dimension);
  if (!grid.wraps(dimension) || size == 1) return 0;
  return size % 2 == 0 ? 1 : 2;
}

Claim claim_for(const Grid& grid, NodeId source, const DimensionOrderTree& tree) {
  Claim claim;
  std::size_t duplicates = 0;
  std::size_t lines = 1;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    claim.rounds += rounds_in(grid, source, d, tree);
    if (!tree.stop_in_time) duplicates += lines * duplicates_of_line(grid, d);
    lines *= grid.size(d);
  }
  claim.transmissions = grid.node_count() - 1 + duplicates;
  claim.duplicates = duplicates;
  return claim;
}

bool connected(const Grid& grid, NodeId node, PortId output) {
  const std::size_t dimension = index(output) / 2;
  if (grid.wraps(dimension)) return grid.size(dimension) > 1;
  return line_reach(grid, node, output) > 0;
}

// The rule for a packet without a counter or a source address. Two copies can meet in a line, so
// there are up to two arrivals.
std::vector<PortId> outputs_without_stop(const Grid& grid, NodeId node,
                                         const std::vector<Channel>& arrivals) {
  std::vector<PortId> outputs;
  const auto add = [&](PortId output) {
    if (connected(grid, node, output)) outputs.push_back(output);
  };
  // A copy leaves every router of its line by the same output.
  if (arrivals.size() == 1) add(arrivals.front().from.port);
  const std::size_t first = arrivals.empty() ? 0 : index(arrivals.front().from.port) / 2U + 1;
  for (std::size_t d = first; d < grid.dimensions(); ++d) {
    add(Grid::plus(d));
    add(Grid::minus(d));
  }
  return outputs;
}

/// The statements on meshes; a and b are the places below and above the source in a dimension.
std::vector<Theorem> theorems_of(const Grid& grid, NodeId source, const DimensionOrderTree& tree) {
  std::size_t diameter = 0;
  std::size_t farthest_first = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (grid.wraps(d)) return {};
    const std::size_t below = grid.coordinate(source, d);
    const std::size_t above = grid.size(d) - 1 - below;
    diameter += below + above;
    farthest_first += std::max(below, above) + (below == above && below > 0 ? 1 : 0);
  }
  if (tree.ports != 1) return {{"broadcast.mesh.all_port", "the diameter", diameter}};
  return {{"broadcast.mesh.one_port", "sum of max(a, b), and 1 where a = b > 0", farthest_first}};
}

/// One-to-all broadcast along a dimension-order tree (see tree_copies.h) of a mesh, torus or
/// mixture, store-and-forward.
///
/// Cost on N nodes, with a_i and b_i the reach of the source's line down and up in dimension i:
/// N - 1 sends, no duplicates, and as many rounds as the sum over the dimensions of
///  - all-port: max(a_i, b_i); the sum is the source's eccentricity, the minimum;
///  - one-port, farthest: the same, and one more in each dimension where a_i = b_i > 0;
///  - one-port, seed: the same as farthest in dimension 0; above it max(a_i, b_i + 1), or the only
///    one of the two that is not 0.
/// One-port farthest is optimal with no such centred dimension, with one, and with two on 2-D
/// meshes; in general not with two (M(5,5,4) from (2,2,1): 8, optimum 7) or more (M(3,3,3) from its
/// centre: 6, optimum 5).
///
/// Without stopping in time, a node that receives from both sides in one round does not continue
/// that line, and drops later receipts. The rounds until all nodes are informed are the same; each
/// wrapped line adds one duplicate if its size is even and two if odd, and dimension i has as many
/// lines as there are nodes in the dimensions below it.
///
/// A source that is not a node, and other ports, throw PreconditionError.
/// Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori". They serve the longer
/// direction first in dimension 0 only, which costs rounds (rule `seed`), and name a source in the
/// middle of an odd first dimension as the only exception to optimality. That is neither the
/// condition for reaching the eccentricity, where any centred dimension counts, nor for optimality.
Plan dimension_order_broadcast(const Grid& grid, NodeId source, const DimensionOrderTree& tree) {
  require(source_exists(grid, source));
  require(one_or_all_ports("dimension-order tree", tree.ports));
  require(all_ports_or_stop(tree));
  const auto rule = [&](NodeId node, const std::vector<Channel>& arrivals) {
    if (!tree.stop_in_time) return outputs_without_stop(grid, node, arrivals);
    const PortId input = arrivals.empty() ? grid.local() : arrivals.front().to.port;
    return mapped(copies_by_source(grid, node, input, source, tree.rule), &TreeCopy::output);
  };
  return {relay(grid, source, tree.ports == 1, rule), claim_for(grid, source, tree),
          theorems_of(grid, source, tree)};
}

Collective make_dimension_order(const Section& workload, const CollectiveContext& context) {
  const auto& grid = family_of<Grid>(context);
  DimensionOrderTree tree;
  tree.ports = context.ports;
  tree.rule = workload.text("rule") == "seed" ? DirectionRule::kSeed : DirectionRule::kFarthest;
  tree.stop_in_time = workload.text("stop") != "never";
  return one_to_all(context, {Switching::kStoreAndForward, context.ports},
                    dimension_order_broadcast(grid, context.source, tree));
}

RouterForwarding forward_dimension_order(const Section& workload, const CollectiveContext& context,
                                         std::size_t virtual_channels) {
  const auto& grid = family_of<Grid>(context);
  if (workload.text("stop") == "never") {
    throw *violated("routers cannot recognise a packet that has met its own copy",
                    "write workload.stop: hop_counter or source_address");
  }
  const bool counts = workload.text("stop") == "hop_counter";
  return dimension_order_forwarding(grid, context.source,
                                    counts ? StopRule::kHopCounter : StopRule::kSourceAddress,
                                    virtual_channels);
}

}  // namespace

CollectiveEntry dimension_order_collective() {
  return {{"dimension_order",
           "Meshes and tori, one port or all: tree of lines, one dimension after the other.",
           {Param::choice("rule",
                          "One port: the longer direction first in every dimension, or only in "
                          "dimension 0 at the source.",
                          {"farthest", "seed"}),
            Param::choice("stop",
                          "Tori: stop before the copies from both sides meet, by a count or by the "
                          "source in the header, or let them meet (all ports).",
                          {"hop_counter", "source_address", "never"}),
            forwarding_param()},
           make_dimension_order},
          {Operation::kBroadcast},
          true,
          forward_dimension_order};
}

}  // namespace flitcast
