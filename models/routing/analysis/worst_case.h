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
  std::vector<NodeId> destinations;  ///< Indexed by source.
  /// The number of the link in ChannelNumbering; other links may have the same load.
  std::size_t channel = 0;
  /// Flits per cycle on the link if every node sends one flit per cycle; 0 if no packet uses a
  /// link.
  double load = 0;
};

/// Finds the permutation that is worst for an oblivious routing. For each link the worst
/// permutation is the assignment of destinations to sources of greatest weight, where the weight of
/// a pair is its share of flits that cross the link, averaged over all ties and choices; the result
/// is the permutation of the link with the greatest weight. All traffic in which no node sends or
/// receives more than one flit per cycle is a mix of permutations, so no such traffic loads a link
/// more.
///
/// Links that cannot exceed the greatest load found so far are skipped. Throws UnknownLoads for
/// adaptive routings, and for networks whose shares or assignments take too much memory or time;
/// the limit is some hundred nodes, fewer if the routing spreads packets over all links.
/// Source: Towles and Dally, Worst-case traffic for oblivious routing functions (SPAA 2002).
WorstCase worst_case(const Topology& topology, const Routing& routing);

/// Assigns each row a different column so that the sum of the weights is greatest, in O(rows^2
/// columns).
/// @param weights  Indexed by row and column; there are no more rows than columns.
/// Source: Kuhn, The Hungarian method for the assignment problem (1955), as successive shortest
/// paths.
std::vector<std::size_t> heaviest_assignment(const std::vector<std::vector<double>>& weights);

}  // namespace flitcast
