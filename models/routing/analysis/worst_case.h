// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A permutation under which one link has the greatest load of any link under any permutation.
struct WorstCase {
  std::vector<NodeId> destinations;  ///< By source.
  /// The link, by ChannelNumbering; several may be loaded alike.
  std::size_t channel = 0;
  /// Flits on the link for each that every node sends; 0 if no packet uses a link.
  double load = 0;
};

/// Finds the permutation that is worst for an oblivious routing. For each link it is the assignment
/// of destinations to sources of greatest weight, where a pair weighs what it sends over the link,
/// averaged over all ties and choices; the result is that of the link with the greatest. All
/// traffic in which no node sends or receives more than one flit per cycle is a mix of
/// permutations, so none loads a link more.
///
/// Links that cannot exceed the best found are skipped. Throws UnknownLoads for adaptive routings,
/// and for networks of which the shares or the assignments take too much memory or time: some
/// hundred nodes, fewer if the routing spreads packets over all links.
/// Source: Towles and Dally, Worst-case traffic for oblivious routing functions (SPAA 2002).
WorstCase worst_case(const Topology& topology, const Routing& routing);

/// Assigns each row a column of its own so that the sum of their weights is greatest, in
/// O(rows^2 columns).
/// @param weights  By row and column; no more rows than columns.
/// Source: Kuhn, The Hungarian method for the assignment problem (1955), as successive shortest
/// paths.
std::vector<std::size_t> heaviest_assignment(const std::vector<std::vector<double>>& weights);

}  // namespace flitcast
