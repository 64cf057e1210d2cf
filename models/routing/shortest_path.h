// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Table-driven routing on any topology: a shortest path, by the lowest output port where several
/// outputs begin one. Minimal and deterministic; uses any VC.
///
/// Nothing keeps the paths from waiting for each other in a cycle, however many VCs there are: ask
/// check_dependencies() of routing/deadlock.h whether they can.
class ShortestPath : public Routing {
 public:
  /// Most entries of the table, routers times nodes: 256 MiB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 28;

  /// Throws std::invalid_argument beyond kMaxEntries, for routers of more than 256 outputs, and if
  /// a node cannot be reached from some router that another node reaches. `topology` need not
  /// outlive the routing.
  ShortestPath(const Topology& topology, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  std::size_t nodes_;
  std::vector<std::uint8_t> outputs_;  // Per router and destination.
  VcSet all_;
};

}  // namespace flitcast
