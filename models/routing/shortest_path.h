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
/// The paths may have cyclic dependencies, with any number of VCs; check_dependencies() of
/// routing/analysis/deadlock.h finds them.
class ShortestPath : public Routing {
 public:
  /// The largest number of entries of the table (routers * nodes): 256 MiB.
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
