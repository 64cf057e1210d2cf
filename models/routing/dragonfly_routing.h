// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "routing/routing.h"
#include "topology/dragonfly.h"

namespace flitcast {

struct RoutingContext;

/// The paths between the groups of a dragonfly, and the classes of virtual channels that avoid
/// cyclic dependencies: a packet starts in class 0 and enters the next class with every global
/// link, so channels depend on each other in the order local 0, global 1, local 1, global 2, local
/// 2. With leaves, local channels of one class depend on each other in one order, too: up before
/// down where a packet ends, down before up where it leaves the group that it came into.
///
/// Between two leaves of a group a packet takes the spine, and between two spines the leaf, with
/// the number of its destination modulo their number.
///
/// vc_share() divides the VCs among the classes. Injection and ejection use all VCs.
class DragonflyPaths {
 public:
  /// @param dragonfly Must outlive the paths.
  /// @param classes 2 for paths with one global link, 3 for two, 4 for DragonflyUgal with
  /// `progressive`.
  DragonflyPaths(const Dragonfly& dragonfly, std::size_t classes, std::size_t virtual_channels);

  const Dragonfly& dragonfly() const { return dragonfly_; }

  /// The class of a packet that has arrived by the request's input.
  std::size_t class_of(const RouteRequest& request) const;
  /// The next hop on the shortest path by the global link between two groups.
  /// @param group The group to go to; the router's own group only if the destination is in it.
  Route towards(std::size_t group, const RouteRequest& request) const {
    return towards(group, request, class_of(request));
  }
  /// The same for a packet that continues in another class.
  Route towards(std::size_t group, const RouteRequest& request, std::size_t own_class) const;

  std::size_t group_of(NodeId node) const { return dragonfly_.group(dragonfly_.router_of(node)); }
  bool from_node(const RouteRequest& request) const {
    return index(request.input) >= dragonfly_.first_node_port(request.router);
  }

  /// The number of groups by which a packet may make a detour: all but those of source and
  /// destination. 1 if there is none or if source and destination are in the same group.
  std::uint32_t detours(NodeId from, NodeId to) const {
    return group_of(from) == group_of(to) ? 1 : most_detours();
  }
  std::uint32_t most_detours() const {
    return static_cast<std::uint32_t>(std::max<std::size_t>(dragonfly_.groups(), 3) - 2);
  }
  /// The group of detour `number`, in ascending order; `to` itself if there is no detour.
  std::size_t detour(std::size_t from, std::size_t to, std::uint32_t number) const;
  /// The number of links from a router to the router of a node, by way of these groups in turn.
  std::uint16_t links(RouterId from, std::initializer_list<std::size_t> groups, NodeId to) const;

 private:
  static constexpr std::size_t kMostClasses = 4;

  const Dragonfly& dragonfly_;
  const VcSet all_;
  std::array<VcSet, kMostClasses> vcs_{};  // Per class.
};

/// Minimal routing on dragonflies: to the router with the global link to the destination's group,
/// over that link, then to the destination; at most one global link. Deterministic. Needs two VCs,
/// one before and one behind the global link.
/// Source: Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology",
/// ISCA 2008, section 4.1.
class DragonflyMinimal : public OnAllVcs<Routing> {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyMinimal(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels)), paths_(dragonfly, 2, virtual_channels) {}

  Route route(const RouteRequest& request) const override {
    return paths_.towards(paths_.group_of(request.destination), request);
  }

 private:
  DragonflyPaths paths_;
};

/// Valiant's routing for dragonflies: minimal to a group that the source draws, any but its own and
/// the destination's, then minimal to the destination; direct within a group. Spreads any traffic
/// over all global links, at the cost of a second global hop. Oblivious; three VCs.
/// Source: Kim, Dally, Scott and Abts, as above; the set of groups and the direct path within a
/// group are choices made here.
class DragonflyValiant : public OnAllVcs<Routing> {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyValiant(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels)), paths_(dragonfly, 3, virtual_channels) {}

  Route route(const RouteRequest& request) const override;

  /// The numbers of DragonflyPaths::detour().
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return paths_.detours(source, destination);
  }
  std::uint32_t most_choices() const override { return paths_.most_detours(); }

 private:
  DragonflyPaths paths_;
};

/// UGAL with local information: the router of the source sends a packet on its minimal path or on
/// the path by the group that DragonflyValiant would take, by the decision of offer_ugal(). Needs
/// three VCs.
///
/// Progressive adaptive routing (PAR): a second router of the source's group decides again, before
/// a packet leaves the group on its minimal path, since only this router sees the queue of the
/// global link. A packet that is sent on the detour goes on in class 1, and does not decide again.
/// Needs four VCs.
/// Sources: Kim, Dally, Scott and Abts, as above, section 4.2 (UGAL-L); Jiang, Kim and Dally,
/// "Indirect Adaptive Routing on Large Scale Interconnection Networks", ISCA 2009 (PAR).
class DragonflyUgal : public OnAllVcs<AdaptiveRouting> {
 public:
  /// `dragonfly` must outlive the routing.
  DragonflyUgal(const Dragonfly& dragonfly, std::size_t virtual_channels,
                std::int32_t threshold = 0, bool progressive = false)
      : OnAllVcs(vc_range(0, virtual_channels), OutputSelection::kFreeCredits),
        detour_class_(progressive ? 1 : 0),
        paths_(dragonfly, 3 + detour_class_, virtual_channels),
        threshold_(threshold) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return paths_.detours(source, destination);
  }
  std::uint32_t most_choices() const override { return paths_.most_detours(); }

 private:
  /// The value of Flit::route_field for no detour, where no router decides again.
  static constexpr std::uint16_t kDirect = 0xFFFF;

  void decide(const RouteRequest& request, Alternatives& alternatives) const;

  const std::size_t detour_class_;  // The class of detours in the source's group.
  DragonflyPaths paths_;
  const std::int32_t threshold_;
};

/// Throws ConfigError for fewer VCs than classes, unless RoutingContext::unsafe.
void require_group_classes(const RoutingContext& context, std::size_t classes);

}  // namespace flitcast
