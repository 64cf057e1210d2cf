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
class ShortestPath : public OnAllVcs<Routing> {
 public:
  /// The largest number of entries of the table (routers * nodes): 256 MiB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 28;

  /// Throws std::invalid_argument beyond kMaxEntries, for routers of more than 256 outputs, and if
  /// a node cannot be reached from some router that another node reaches. `topology` need not
  /// outlive the routing.
  ShortestPath(const Topology& topology, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }

 private:
  std::size_t nodes_;
  std::vector<std::uint8_t> outputs_;  // Per router and destination.
};

/// up*/down* routing on any network with links in both directions: routers are ordered by their
/// distance from a root, at equal distance by their numbers. A packet goes up, towards the front of
/// this order, any number of times, then down, and never up again. It takes a shortest of these
/// paths, at each router by the lowest output that begins one. Deterministic; deadlock-free with
/// one VC; uses any VC. Channels near the root carry the most traffic.
/// Source: Schroeder et al., "Autonet: A High-Speed, Self-Configuring Local Area Network Using
/// Point-to-Point Links", IEEE J. Selected Areas in Communications 9(8), 1991.
class UpDown : public OnAllVcs<Routing> {
 public:
  /// The largest number of entries of the table (2 * routers * nodes): 256 MiB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 28;

  /// Throws std::invalid_argument beyond kMaxEntries, for a root that is no router, and if two
  /// nodes, which the message names, have no up/down path between them. `topology` need not outlive
  /// the routing.
  UpDown(const Topology& topology, RouterId root, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;

 private:
  std::size_t nodes_;
  std::vector<std::size_t> first_input_;  // Per router, the index of its input 0 in came_down_.
  std::vector<bool> came_down_;           // Per router and input.
  std::vector<std::uint8_t> outputs_;  // Per router, direction (up allowed or not) and destination.
};

}  // namespace flitcast
