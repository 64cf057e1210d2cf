// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "topology/graph.h"

namespace flitcast {

/// Largest latency of a link in a graph file, in cycles.
inline constexpr std::uint32_t kMaxLinkLatency = 65535;

/// Reads a graph, one thing a line; words are separated by blanks and # starts a comment:
///
///     router   NAME
///     terminal NAME ROUTER                                # a node, attached to the router
///     link     ROUTER ROUTER [latency CYCLES] [oneway]    # both ways unless `oneway`; `both` is
///     allowed
///
/// Routers and nodes are numbered in the order of their lines; names of routers and of terminals
/// may coincide. Lines may refer to routers of later lines. Several links between the same routers
/// are parallel links. A latency is 1 to kMaxLinkLatency cycles; without one the experiment's
/// link.latency applies. Every router must be reachable from every other.
///
/// @param file  For the places of problems and the topology's name, "custom FILE".
/// Throws ConfigError with all problems, in file order.
Graph read_graph(std::istream& input, const std::string& file);

}  // namespace flitcast
