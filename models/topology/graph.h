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
  std::uint32_t latency = 0;          ///< See Channel::latency.
  std::uint32_t cycles_per_flit = 0;  ///< See Channel::cycles_per_flit.
};

/// An arbitrary graph of routers, one-way links between them, and nodes at routers.
///
/// A router's outputs are numbered in the order of the links that leave it, its inputs in the order
/// of those that arrive; one more input and output for each of its nodes follow, in node order.
class Graph : public Topology {
 public:
  /// @param name The name(), unchanged.
  /// @param homes  Per node, the router that it is attached to.
  /// @param router_names One name for each router, or none at all.
  /// Throws std::invalid_argument for a router number that is out of range and beyond kMaxRouters
  /// and kMaxPorts.
  Graph(std::string name, std::size_t routers, const std::vector<GraphLink>& links,
        const std::vector<RouterId>& homes, std::vector<std::string> router_names = {});
  /// A graph whose ports are numbered already.
  Graph(std::string name, const std::vector<PortCounts>& ports,
        const std::vector<Channel>& channels, const std::vector<Attachment>& attachments,
        std::vector<std::string> router_names);

  std::string router_name(RouterId router) const override {
    return names_.empty() ? Topology::router_name(router) : names_[index(router)];
  }

 private:
  std::vector<std::string> names_;
};

/// The largest latency of a link in a graph file, in cycles.
inline constexpr std::uint32_t kMaxLinkLatency = 1'000'000;
/// The largest number of cycles per flit of a link in a graph file.
inline constexpr std::uint32_t kMaxCyclesPerFlit = 1024;

/// Reads a graph in the format that the ending of the file's name states: graph_formats.h. A file
/// of another ending has one declaration per line; words are separated by blanks, and # starts a
/// comment:
///
///     router   NAME
///     terminal NAME ROUTER                                # a node, attached to the router
///     link     ROUTER ROUTER [latency CYCLES] [cycles_per_flit CYCLES] [oneway]
///
/// A link has a channel in each direction unless it is `oneway`; the keyword `both` states the
/// default.
///
/// Routers and nodes are numbered in the order of their lines; names of routers and of terminals
/// may coincide. Lines may refer to routers of later lines. Several links between the same routers
/// are parallel links. A latency is 1 to kMaxLinkLatency cycles, a link takes a flit in 1 to
/// kMaxCyclesPerFlit cycles; without them the experiment's link.latency and link.cycles_per_flit
/// apply. Every router must be reachable from every other.
///
/// @param file The file name: of the format, in messages, and in the topology's name, "custom
/// FILE". Throws ConfigError with all problems, in file order.
Graph read_graph(std::istream& input, const std::string& file);

}  // namespace flitcast
