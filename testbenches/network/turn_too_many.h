// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A closed sequence of at least three channels: each leads to the router that the next one leaves,
/// and the last leads to the router that the first one leaves. No router is left twice.
using Ring = std::vector<Channel>;

/// Returns the shortest ring through each channel that is on one. A topology without rings consists
/// of lines and one-way paths, on which packets cannot wait in a cycle.
std::vector<Ring> rings_of(const Topology& topology);

/// Returns the nodes at routers of a ring.
std::vector<NodeId> nodes_at(const Ring& ring, const Topology& topology);

/// Adds turns to a routing: a packet that meets a ring on its path to one of the ring's nodes
/// follows the ring, in any VC, and arrives by it; a packet that starts at its destination goes all
/// the way round. All packets arrive unless they deadlock.
class TurnTooMany : public AdaptiveRouting {
 public:
  /// `routing` must outlive it.
  TurnTooMany(const Routing& routing, const Topology& topology, const Ring& ring,
              std::size_t virtual_channels);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_.injection_vcs(source, destination);
  }
  std::size_t tie_dimensions() const override { return routing_.tie_dimensions(); }
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return routing_.choices(source, destination);
  }
  std::uint32_t most_choices() const override { return routing_.most_choices(); }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return routing_.choice(source, destination, number);
  }

 private:
  static constexpr std::uint16_t kOff = 0xFFFF;

  const Routing& routing_;
  const VcSet all_;
  std::vector<std::uint16_t> input_;   // The ring's input, or kOff, by router.
  std::vector<std::uint16_t> output_;  // The ring's output, or kOff, by router.
  std::vector<Endpoint> ejection_;     // Node's port, by node.
};

}  // namespace flitcast
