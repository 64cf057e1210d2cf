// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast::claims {

/// The result of a search for store-and-forward broadcasts on nodes with one port.
struct OnePortOptimum {
  std::size_t at_least = 0;  ///< No broadcast takes fewer rounds.
  Schedule best;             ///< The best broadcast found.

  bool is_known() const { return best.rounds() == at_least; }
};

/// Bounds the fewest rounds of a one-port broadcast from `source` from below and above.
///
/// From below: the library's bound, and from there on as many rounds as the farthest nodes alone
/// need, up to 8 of them. An exhaustive search over trees decides that: a node that has some of
/// them to serve in the rounds left either hands a part of them over to a neighbour or waits; two
/// parts never hinder each other, so that a broadcast in fewer rounds cannot exist.
///
/// From above: simulated annealing over spanning trees, in which a node serves first the child
/// whose own broadcast takes longest, the best order in a tree. It begins with trees of shortest
/// paths that are drawn at random, always the same ones, and ends when the bound is reached.
/// Networks of more than 512 nodes have no annealing. The search takes up to about two seconds.
///
/// @param bound  A lower bound on the rounds.
/// @param start  A broadcast from that source, the best one known so far.
OnePortOptimum one_port_optimum(const Topology& topology, NodeId source, std::size_t bound,
                                const Schedule& start);

}  // namespace flitcast::claims
