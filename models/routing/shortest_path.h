// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// Per router, a bit for every input.
using InputBits = std::vector<std::vector<bool>>;

/// Table-driven routing on any topology: a shortest path, by the lowest output port where several
/// outputs begin one, or spread over all of them. Minimal; uses any VC, or classes of VCs.
///
/// Without classes the paths may have cyclic dependencies, with any number of VCs;
/// check_dependencies() of routing/analysis/deadlock.h finds them. With classes by distance a
/// packet has the VCs of a class of its own on each hop, the first on the first hop, so no channel
/// depends on one of its own or of a lower class; there are longest() classes, which vc_share()
/// divides. Injection and ejection use all VCs.
/// Source of the classes: Guenther, "Prevention of Deadlocks in Packet-Switched Data Transport
/// Systems", IEEE Trans. Communications 29(4), 1981.
class ShortestPath : public OnAllVcs<Routing> {
 public:
  struct Params {
    std::size_t virtual_channels = 1;
    bool by_distance = false;  ///< Classes of VCs by the hops made so far.
    /// The source draws one of kDraws numbers, which with the router and the destination selects
    /// one of the outputs that begin shortest paths: all equally often if their number divides
    /// kDraws.
    bool spread = false;
  };

  /// The largest number of entries of the table (routers * nodes): 256 MiB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 28;
  static constexpr std::uint32_t kDraws = 24;

  /// Throws std::invalid_argument beyond kMaxEntries, for routers of more than 256 outputs, and if
  /// a node cannot be reached from some router that another node reaches. `topology` need not
  /// outlive the routing.
  ShortestPath(const Topology& topology, const Params& params);
  ShortestPath(const Topology& topology, std::size_t virtual_channels)
      : ShortestPath(topology, Params{virtual_channels}) {}

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return params_.by_distance; }
  std::uint32_t most_choices() const override { return params_.spread ? kDraws : 1; }

  /// The number of hops between the two nodes that are the farthest apart, at least 1.
  std::size_t longest() const { return longest_; }

 protected:
  const Endpoint& home(NodeId node) const { return homes_[index(node)]; }
  bool from_link(const RouteRequest& request) const {
    return from_link_[index(request.router)][index(request.input)];
  }
  /// Calls visit(output) for the outputs that begin a shortest path; only with Params::spread.
  template <class Visit>
  void for_each_minimal(const RouteRequest& request, const Visit& visit) const {
    const std::size_t here = index(request.router);
    const std::uint32_t* const distance =
        &distances_[index(request.destination) * (first_output_.size() - 1)];
    for (std::size_t o = first_output_[here]; o < first_output_[here + 1]; ++o) {
      if (next_[o] == kUnreached || distance[next_[o]] + 1 != distance[here]) continue;
      visit(to_id<PortId>(o - first_output_[here]));
    }
  }

 private:
  void fill_tables(const Topology& topology);
  PortId drawn_output(const RouteRequest& request) const;
  VcSet class_of(const RouteRequest& request) const;

  const Params params_;
  std::size_t nodes_;
  std::size_t longest_ = 1;
  std::vector<Endpoint> homes_;        // Per node, its ejection.
  std::vector<std::uint8_t> outputs_;  // Per router and destination, unless outputs are spread.
  InputBits from_link_;
  std::array<VcSet, kMaxVirtualChannels> behind_{};  // Per VC, those of the class behind its own.

  // Only if outputs are spread:
  std::vector<std::uint32_t> distances_;   // Per destination and router, in hops.
  std::vector<std::size_t> first_output_;  // Per router and one more, an index into next_.
  std::vector<std::uint32_t> next_;        // Per router and output, the router that it leads to.
};

/// Adaptive routing by shortest paths on any topology: a packet takes any output that begins one,
/// and falls back to a routing of escape channels if none of them is available.
///
/// VCs: the first are the escape channels; all others are adaptive, of higher priority, and entered
/// only while their buffers have space. A packet on an escape channel stays on escape channels, so
/// these depend only on each other, as in MinimalAdaptive. Injection and ejection use all VCs.
class AdaptiveShortestPath : public ShortestPath {
 public:
  /// @param escape  A deterministic routing on VCs 0 to `escape_vcs` - 1, fewer than all. It is
  ///                asked at any router for packets on other VCs, which may take any path of it.
  AdaptiveShortestPath(const Topology& topology, std::size_t virtual_channels,
                       std::unique_ptr<const Routing> escape, std::size_t escape_vcs,
                       OutputSelection selection);

  bool reads_arrival() const override { return true; }
  std::uint32_t most_choices() const override { return 1; }
  bool adaptive() const override { return true; }
  OutputSelection selection() const override { return selection_; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  std::unique_ptr<const Routing> escape_;
  VcSet escape_vcs_;
  OutputSelection selection_;
};

/// up*/down* routing on any network with links in both directions: routers are ordered by their
/// distance from a root, at equal distance by their numbers. A packet goes up, towards the front of
/// this order, any number of times, then down, and never up again. It takes a shortest of these
/// paths, at each router by the lowest output that begins one. Deterministic; deadlock-free with
/// one VC; uses any VC. Channels near the root carry the most traffic. A packet on a VC that is not
/// of this routing, which adaptive packets take it from, has not gone down yet.
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
  InputBits came_down_;
  std::vector<std::uint8_t> outputs_;  // Per router, direction (up allowed or not) and destination.
};

}  // namespace flitcast
