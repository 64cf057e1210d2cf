// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/catalog.h"

namespace flitcast {

// Algorithms of the catalog, by the name of what they make.

inline Plan plan_by(const char* algorithm, const CollectiveContext& context) {
  return collectives().find(algorithm)->make(Section::of("workload", {}), context).plan;
}

inline Plan doubling_broadcast(const Complete& network, NodeId source) {
  return plan_by("doubling", {network, source, 1});
}
inline Plan flooding_broadcast(const Topology& topology, NodeId source) {
  return plan_by("flooding", {topology, source});
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
inline Plan hamiltonian_gossip(const Grid& torus) {
  return plan_by("hamiltonian_cycles", {torus, {}, kAllPorts, Operation::kGossip});
}

}  // namespace flitcast
