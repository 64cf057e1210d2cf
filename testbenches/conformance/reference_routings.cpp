// SPDX-License-Identifier: Apache-2.0
#include "conformance/reference_routings.h"

#include <memory>
#include <set>
#include <utility>

#include "routing/catalog.h"
#include "routing/minimal_adaptive.h"
#include "routing/tree_ascent.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/grid.h"

namespace flitcast::conformance {
namespace {

/// Offers, of the alternatives of another routing, the first of each priority, and lets the packet
/// wait for all of them.
class FirstOfEachPriority : public AdaptiveRouting {
 public:
  explicit FirstOfEachPriority(std::unique_ptr<const Routing> routing)
      : AdaptiveRouting(OutputSelection::kRoundRobin), routing_(std::move(routing)) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    Alternatives all;
    all.clear();
    routing_->alternatives(request, all);
    std::set<unsigned> priorities;
    for (Alternative option : all) {
      if (!priorities.insert(option.priority).second) continue;
      option.waits = true;
      alternatives.add(option);
    }
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_->injection_vcs(source, destination);
  }

 private:
  const std::unique_ptr<const Routing> routing_;
};

/// Ascends by the better of two parents that are drawn with replacement: one time in k, both are
/// the same. The source draws a digit for every level, and 0 stands for such a pair.
class AscentByTwoDraws : public AdaptiveRouting {
 public:
  AscentByTwoDraws(const FatTree& tree, std::size_t virtual_channels)
      : AdaptiveRouting(OutputSelection::kFreeCredits),
        ways_(tree),
        roots_(static_cast<std::uint32_t>(tree.switches(tree.levels() - 1))),
        all_(vc_range(0, virtual_channels)) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    if (ways_.above(request.router, request.destination)) {
      alternatives.add({ways_.down(request.router, request.destination), 0, all_});
      return;
    }
    const unsigned first = index(ways_.up(request.router, 0));
    for (unsigned parent = 0; parent < ways_.parents(request.router); ++parent) {
      const PortId up{static_cast<std::uint16_t>(first + parent)};
      alternatives.add({up, request.route_field, all_});
    }
    const bool same = index(ways_.up(request.router, request.route_field)) == first;
    alternatives.decide_at_once(same ? 1 : 2);
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }
  std::uint32_t most_choices() const override { return roots_; }

 private:
  const TreePaths ways_;
  const std::uint32_t roots_;
  const VcSet all_;
};

/// Minimal routing on dragonflies: VC 0 for the path to the global channel, VC 1 for all other
/// hops, including packets that stay in their group and ejection; further VCs serve injection only.
class MinimalByTwoVcs : public Routing {
 public:
  MinimalByTwoVcs(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : dragonfly_(dragonfly), all_(vc_range(0, virtual_channels)) {}

  Route route(const RouteRequest& request) const override {
    constexpr VcSet kFirst = vc_range(0, 1);
    constexpr VcSet kSecond = vc_range(1, 1);
    const RouterId last = dragonfly_.router_of(request.destination);
    const std::size_t here = dragonfly_.group(request.router);
    const std::size_t there = dragonfly_.group(last);
    if (last == request.router) {
      return {dragonfly_.attachment(request.destination).ejection.port, kSecond};
    }
    if (here == there) return {dragonfly_.towards(request.router, last), kSecond};
    const Endpoint gateway = dragonfly_.gateway(here, there);
    if (gateway.router == request.router) return {gateway.port, kSecond};
    return {dragonfly_.towards(request.router, gateway.router), kFirst};
  }
  bool reads_arrival() const override { return false; }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  const Dragonfly& dragonfly_;
  const VcSet all_;
};

std::unique_ptr<Routing> make_min_adapt(const Section&, const RoutingContext& context) {
  MinimalAdaptive::Params params;
  params.virtual_channels = context.virtual_channels;
  return std::make_unique<FirstOfEachPriority>(
      std::make_unique<MinimalAdaptive>(dynamic_cast<const Grid&>(context.topology), params));
}

std::unique_ptr<Routing> make_planar_adapt(const Section&, const RoutingContext& context) {
  require_vcs(context, 3, "planar-adaptive routing keeps three groups of channels apart");
  return std::make_unique<FirstOfEachPriority>(
      std::make_unique<PlanarAdaptive>(dynamic_cast<const Grid&>(context.topology),
                                       context.virtual_channels, OutputSelection::kRoundRobin));
}

std::unique_ptr<Routing> make_anca(const Section&, const RoutingContext& context) {
  return std::make_unique<AscentByTwoDraws>(dynamic_cast<const FatTree&>(context.topology),
                                            context.virtual_channels);
}

std::unique_ptr<Routing> make_dragonfly_min(const Section&, const RoutingContext& context) {
  require_vcs(context, 2, "a packet comes into another channel with its global link");
  return std::make_unique<MinimalByTwoVcs>(dynamic_cast<const Dragonfly&>(context.topology),
                                           context.virtual_channels);
}

}  // namespace

void add_reference_routings() {
  const char* const summary = "As the reference computes it, for its curves only.";
  routings().add({"reference_min_adapt", summary, {}, is_mesh, make_min_adapt});
  routings().add({"reference_planar_adapt", summary, {}, is_mesh, make_planar_adapt});
  routings().add({"reference_anca", summary, {}, accepts<FatTree>(), make_anca});
  routings().add(
      {"reference_dragonfly_min", summary, {}, accepts<Dragonfly>(), make_dragonfly_min});
}

}  // namespace flitcast::conformance
