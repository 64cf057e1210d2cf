// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// A one-way link of a Graph.
struct GraphLink {
  RouterId from{};
  RouterId to{};
  std::uint32_t latency = 0;  ///< Cycles; 0 stands for the experiment's link.latency.
};

/// Any graph at all: routers, one-way links between them, and nodes at routers.
///
/// A router's outputs are numbered in the order of the links that leave it, its inputs in the order
/// of those that arrive; one more input and output for each of its nodes follow, in node order.
class Graph : public Topology {
 public:
  /// @param name  Becomes name() as it is.
  /// @param homes  Per node, the router that it is attached to.
  /// Throws std::invalid_argument for a router number that is out of range and beyond the limits of
  /// topology/limits.h.
  Graph(std::string name, std::size_t routers, const std::vector<GraphLink>& links,
        const std::vector<RouterId>& homes);
};

}  // namespace flitcast
