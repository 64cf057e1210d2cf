// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "routing/routing.h"
#include "topology/dragonfly.h"

namespace flitcast {

/// How packets go from group to group of a dragonfly, and the classes of virtual channels that keep
/// them from waiting for each other in a cycle: a packet starts in class 0 and comes into the next
/// class with every global link, so that channels depend on each other in the order local 0,
/// global 1, local 1, global 2, local 2.
///
/// With C classes, class c has the VCs c V / C and the ones after it; with fewer VCs than classes,
/// which can deadlock, the highest share a VC. Injection and ejection use all VCs.
class DragonflyPaths {
 public:
  /// @param dragonfly  Must outlive the ways.
  /// @param classes    2 for one global link, 3 for two.
  DragonflyPaths(const Dragonfly& dragonfly, std::size_t classes, std::size_t virtual_channels);

  const Dragonfly& dragonfly() const { return dragonfly_; }
  VcSet all() const { return all_; }

  /// The class of a packet that has arrived by the request's input.
  std::size_t class_of(const RouteRequest& request) const;
  /// The next hop on the shortest way by the global link between both groups.
  /// @param group  Where to, other than the router's unless it is the destination's.
  Route towards(std::size_t group, const RouteRequest& request) const;

  std::size_t group_of(NodeId node) const { return dragonfly_.group(dragonfly_.router_of(node)); }
  bool from_node(const RouteRequest& request) const { return index(request.input) >= first_node_; }

  /// Groups that a packet may make a detour over: all but both of its ends; one, where there is
  /// none or where source and destination are in the same.
  std::uint32_t detours(std::size_t from, std::size_t to) const;
  std::uint32_t most_detours() const;
  /// The group by its number, in ascending order; `to` itself where there is no detour.
  std::size_t detour(std::size_t from, std::size_t to, std::uint32_t number) const;
  /// Links from a router to a node's, over these groups in turn.
  std::uint16_t links(RouterId from, std::initializer_list<std::size_t> groups, NodeId to) const;

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
      : paths_(dragonfly, 2, virtual_channels) {}

  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return paths_.all(); }

 private:
  DragonflyPaths paths_;
};

/// Valiant's routing for dragonflies: minimal to a group that the source draws, any but its own and
/// the destination's, then minimal to the destination; within a group directly. Spreads any traffic
/// over all global links, at the price of a second one. Oblivious; three VCs.
/// Source: Kim, Dally, Scott and Abts, as above; which group, and what packets within a group do,
/// is chosen here.
class DragonflyValiant : public Routing {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyValiant(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : paths_(dragonfly, 3, virtual_channels) {}

  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return paths_.all(); }

  /// Numbers of DragonflyPaths::detour().
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return paths_.detours(paths_.group_of(source), paths_.group_of(destination));
  }
  std::uint32_t most_choices() const override { return paths_.most_detours(); }

 private:
  DragonflyPaths paths_;
};

/// UGAL with local information: the router of the source sends a packet on its minimal way or on
/// the way over the group that DragonflyValiant would take, whichever has the smaller product of
/// links ahead and flits in the buffers behind its first output; the minimal one if they are equal.
/// Three VCs.
/// Source: Singh, "Load-Balanced Routing in Interconnection Networks", PhD thesis, Stanford, 2005;
/// on dragonflies (UGAL-L): Kim, Dally, Scott and Abts, as above, section 4.2.
class DragonflyUgal : public AdaptiveRouting {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyUgal(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : AdaptiveRouting(OutputSelection::kFreeCredits), paths_(dragonfly, 3, virtual_channels) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return paths_.all(); }

  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return paths_.detours(paths_.group_of(source), paths_.group_of(destination));
  }
  std::uint32_t most_choices() const override { return paths_.most_detours(); }

 private:
  /// Stands for no detour, in the head of a packet that has left its first router.
  static constexpr std::uint16_t kDirect = 0xFFFF;

  void decide(const RouteRequest& request, Alternatives& alternatives) const;

  DragonflyPaths paths_;
};

}  // namespace flitcast
