// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "routing/routing.h"
#include "topology/dragonfly.h"

namespace flitcast {

/// How packets go from group to group of a dragonfly, and the classes of virtual channels that keep
/// them from waiting for each other in a circle: a packet starts in class 0 and comes into the next
/// class with every global link, so that channels depend on each other in the order local 0,
/// global 1, local 1, global 2, local 2.
///
/// With C classes, class c has the VCs c V / C and the ones after it; with fewer VCs than classes,
/// which can deadlock, the highest share a VC. Injection and ejection use all VCs.
class DragonflyWays {
 public:
  /// @param dragonfly  Must outlive the ways.
  /// @param classes    2 for one global link, 3 for two.
  DragonflyWays(const Dragonfly& dragonfly, std::size_t classes, std::size_t virtual_channels);

  const Dragonfly& dragonfly() const { return dragonfly_; }
  VcSet all() const { return all_; }

  /// The class of a packet that has arrived by the request's input.
  std::size_t class_of(const RouteRequest& request) const;
  /// The next hop on the shortest way by the global link between both groups.
  /// @param group  Where to, other than the router's unless it is the destination's.
  Route towards(std::size_t group, const RouteRequest& request) const;

 private:
  static constexpr std::size_t kMostClasses = 3;

  const Dragonfly& dragonfly_;
  const std::size_t first_global_;
  const std::size_t first_node_;
  const VcSet all_;
  std::array<VcSet, kMostClasses> vcs_{};  // Per class.
};

/// Minimal routing: to the router with the global link to the destination's group, over that link,
/// to the destination; at most one global link. Deterministic. Two VCs, on arrival by the global
/// link and before it.
/// Source: Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology",
/// ISCA 2008, section 4.1.
class DragonflyMinimal : public Routing {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyMinimal(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : ways_(dragonfly, 2, virtual_channels) {}

  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return ways_.all(); }

 private:
  DragonflyWays ways_;
};

}  // namespace flitcast
