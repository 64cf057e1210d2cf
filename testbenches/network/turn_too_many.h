// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Channels of which each leads to the router that the next one leaves, the last to the first, and
/// which leave each router once at most; three at least.
using Ring = std::vector<Channel>;

/// For every channel the shortest ring through it, as far as there is one. A topology without any
/// has nothing but lines and ways without return, on which no packets can wait in a cycle.
std::vector<Ring> rings_of(const Topology& topology);

/// The nodes at routers of a ring.
std::vector<NodeId> nodes_at(const Ring& ring, const Topology& topology);

/// Another routing with turns too many: who meets a ring on the way to one of its nodes follows it,
/// in any VC, and arrives by the ring; who starts at its destination goes all the way round.
/// Everybody arrives unless they wait for each other.
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
  std::vector<std::uint16_t> input_;   // Per router: the ring's, or kOff,
  std::vector<std::uint16_t> output_;  // likewise.
  std::vector<Endpoint> ejection_;     // Per node.
};

}  // namespace flitcast
