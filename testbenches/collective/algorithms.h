// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "collective/catalog.h"
#include "collective/paths.h"
#include "collective/tree_copies.h"

namespace flitcast {

// Makers of the catalog's algorithms, by the name of the result.

inline Plan plan_by(const char* algorithm, const CollectiveContext& context,
                    const std::map<std::string, nlohmann::json>& keys = {}) {
  return collectives().find(algorithm)->make(Section::of("workload", keys), context).plan;
}

inline Plan doubling_broadcast(const Complete& network, NodeId source) {
  return plan_by("doubling", {network, source, 1});
}
inline Plan flooding_broadcast(const Topology& topology, NodeId source) {
  return plan_by("flooding", {topology, source});
}
inline Plan binomial_broadcast(const Hypercube& cube, NodeId source, unsigned ports) {
  return plan_by("binomial_tree", {cube, source, ports});
}

/// The variant of a dimension-order tree.
struct DimensionOrderTree {
  unsigned ports = kAllPorts;
  DirectionRule rule = DirectionRule::kFarthest;
  bool stop_in_time = true;
};
inline Plan dimension_order_broadcast(const Grid& grid, NodeId source,
                                      const DimensionOrderTree& tree) {
  return plan_by("dimension_order", {grid, source, tree.ports},
                 {{"rule", tree.rule == DirectionRule::kSeed ? "seed" : "farthest"},
                  {"stop", tree.stop_in_time ? "hop_counter" : "never"}});
}
inline Plan double_tree_broadcast(const Hypercube& cube, NodeId source) {
  return plan_by("double_tree", {cube, source});
}
inline Plan ho_kao_broadcast(const Hypercube& cube, NodeId source) {
  return plan_by("ho_kao", {cube, source});
}
inline Plan chain_halving_broadcast(const Grid& grid, NodeId source) {
  return plan_by("chain_halving", {grid, source, 1});
}
inline Plan recursive_doubling_broadcast(const Grid& grid, NodeId source) {
  return plan_by("recursive_doubling", {grid, source, 1});
}
inline Plan recursive_tiling_broadcast(const Grid& grid, NodeId source) {
  return plan_by("recursive_tiling", {grid, source});
}
inline Plan cube_gossip(const Hypercube& cube) {
  return plan_by("cube_classes", {cube, {}, kAllPorts, Operation::kGossip});
}
inline Plan cube_scatter(const Hypercube& cube, NodeId source) {
  return plan_by("cube_classes", {cube, source, kAllPorts, Operation::kScatter});
}
inline Plan cube_total_exchange(const Hypercube& cube) {
  return plan_by("cube_colouring", {cube, {}, kAllPorts, Operation::kAllToAllScatter});
}
inline Plan disjoint_tree_gossip(const Grid& torus) {
  return plan_by("disjoint_trees", {torus, {}, kAllPorts, Operation::kGossip});
}
inline Plan zigzag_cycle_gossip(const Grid& torus) {
  return plan_by("zigzag_cycles", {torus, {}, kAllPorts, Operation::kGossip});
}
inline Plan zigzag_trail_gossip(const Grid& torus) {
  return plan_by("zigzag_trails", {torus, {}, kAllPorts, Operation::kGossip});
}
inline Plan hamiltonian_gossip(const Grid& torus) {
  return plan_by("hamiltonian_cycles", {torus, {}, kAllPorts, Operation::kGossip});
}

}  // namespace flitcast
