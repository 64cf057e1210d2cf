// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
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
  /// Throws std::invalid_argument for a router number that is out of range and beyond kMaxRouters
  /// and kMaxPorts.
  Graph(std::string name, std::size_t routers, const std::vector<GraphLink>& links,
        const std::vector<RouterId>& homes);
};

/// Largest latency of a link in a graph file, in cycles.
inline constexpr std::uint32_t kMaxLinkLatency = 65535;

/// Reads a graph, one thing a line; words are separated by blanks and # starts a comment:
///
///     router   NAME
///     terminal NAME ROUTER                                # a node, attached to the router
///     link     ROUTER ROUTER [latency CYCLES] [oneway]    # both ways unless `oneway`
///
/// `both` may be written, too. Routers and nodes are numbered in the order of their lines; names of
/// routers and of terminals may coincide. Lines may refer to routers of later lines. Several links
/// between the same routers are parallel links. A latency is 1 to kMaxLinkLatency cycles; without
/// one the experiment's link.latency applies. Every router must be reachable from every other.
///
/// @param file  For the places of problems and the topology's name, "custom FILE".
/// Throws ConfigError with all problems, in file order.
Graph read_graph(std::istream& input, const std::string& file);

}  // namespace flitcast
