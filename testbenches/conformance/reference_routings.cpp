// SPDX-License-Identifier: Apache-2.0
#include "conformance/reference_routings.h"

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "routing/catalog.h"
#include "routing/minimal_adaptive.h"
#include "routing/tree_ascent.h"
#include "routing/two_phase.h"
#include "routing/ugal.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

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

/// UGAL on dragonflies: the VC is the phase of a packet, 0 on the way to a node that the source
/// draws among all nodes, 1 from its router, or on the minimal path, to the global channel, 2 on it
/// and after it, and within the group of the source. The queue of the detour counts twice and 30
/// flits more, whatever the lengths of the paths.
class UgalByThreeVcs : public AdaptiveRouting {
 public:
  UgalByThreeVcs(const Dragonfly& dragonfly, std::size_t virtual_channels)
      : AdaptiveRouting(OutputSelection::kFreeCredits),
        dragonfly_(dragonfly),
        all_(vc_range(0, virtual_channels)) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    const NodeId over{request.route_field};
    const NodeId to = request.destination;
    if (!from_node(request)) {
      const bool detours = index(request.vc) == 0 && dragonfly_.router_of(over) != request.router;
      const unsigned phase = index(request.vc) == 2 ? 2 : 1;
      return alternatives.add(detours ? hop(request, over, 0) : hop(request, to, phase));
    }
    if (in_group(request, to)) return alternatives.add(hop(request, to, 2));
    if (in_group(request, over)) return alternatives.add(hop(request, to, 1));
    Alternative detour = hop(request, over, 0);
    detour.weight = 2;
    Alternative minimal = hop(request, to, 1);
    minimal.weight = 1;
    offer_ugal(minimal, detour, 30, alternatives);
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }
  std::uint32_t choices(NodeId, NodeId) const override { return most_choices(); }
  std::uint32_t most_choices() const override {
    return static_cast<std::uint32_t>(dragonfly_.node_count());
  }

 private:
  bool from_node(const RouteRequest& request) const {
    const Dragonfly::Params& params = dragonfly_.params();
    return index(request.input) >= params.routers - 1 + params.global_links;
  }
  bool in_group(const RouteRequest& request, NodeId node) const {
    return dragonfly_.group(request.router) == dragonfly_.group(dragonfly_.router_of(node));
  }

  Alternative hop(const RouteRequest& request, NodeId node, unsigned phase) const {
    const auto by = [&](PortId port, unsigned vc) {
      return Alternative{port, request.route_field, vc_range(vc, 1)};
    };
    const RouterId last = dragonfly_.router_of(node);
    if (last == request.router) return by(dragonfly_.attachment(node).ejection.port, phase);
    if (in_group(request, node)) return by(dragonfly_.towards(request.router, last), phase);
    const Endpoint gateway =
        dragonfly_.gateway(dragonfly_.group(request.router), dragonfly_.group(last));
    if (gateway.router == request.router) return by(gateway.port, phase == 1 ? 2 : phase);
    return by(dragonfly_.towards(request.router, gateway.router), phase);
  }

  const Dragonfly& dragonfly_;
  const VcSet all_;
};

/// An intermediate router that has the coordinates of the source in all dimensions in which the
/// destination has them, too.
Detour in_differing_dimensions(const GeneralisedHypercube& cube) {
  const auto coordinate = [&cube](NodeId node, std::size_t dimension) {
    return index(node) / cube.stride(dimension) % cube.size(dimension);
  };
  const auto side = [&cube, coordinate](NodeId from, NodeId to, std::size_t dimension) {
    const bool same = coordinate(from, dimension) == coordinate(to, dimension);
    return same ? 1 : static_cast<std::uint32_t>(cube.size(dimension));
  };
  const auto choices = [&cube, side](NodeId source, NodeId destination) {
    std::uint32_t count = 1;
    for (std::size_t d = 0; d < cube.dimensions(); ++d) count *= side(source, destination, d);
    return count;
  };
  const auto intermediate = [&cube, coordinate, side](NodeId source, NodeId destination,
                                                      std::uint32_t number) {
    std::size_t node = index(source);
    for (std::size_t d = 0; d < cube.dimensions(); ++d) {
      const std::uint32_t length = side(source, destination, d);
      if (length > 1) node += (number % length - coordinate(source, d)) * cube.stride(d);
      number /= length;
    }
    return NodeId{static_cast<std::uint32_t>(node)};
  };
  return {static_cast<std::uint32_t>(cube.node_count()), choices, intermediate};
}

/// Minimal routing on graphs by the latencies of their channels, on any VC: Dijkstra's algorithm
/// from every router. For graphs whose paths of least latency are the only ones.
class LeastLatency : public OnAllVcs<Routing> {
 public:
  LeastLatency(const Topology& topology, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels)), topology_(topology) {
    for (const RouterId to : topology.routers()) fill(to);
  }

  Route route(const RouteRequest& request) const override {
    const Endpoint& home = topology_.attachment(request.destination).ejection;
    if (home.router == request.router) return {home.port, all_};
    return {outputs_.at({request.router, home.router}), all_};
  }
  bool reads_arrival() const override { return false; }

 private:
  void fill(RouterId to) {
    std::map<RouterId, std::uint32_t> known{{to, 0}};
    while (known.size() < topology_.router_count()) {
      const Channel* best = nullptr;
      std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
      for (const Channel& channel : topology_.channels()) {
        if (known.count(channel.from.router) != 0 || known.count(channel.to.router) == 0) continue;
        const std::uint32_t cycles = known.at(channel.to.router) + channel.latency;
        if (cycles >= least) continue;
        least = cycles;
        best = &channel;
      }
      known[best->from.router] = least;
      outputs_[{best->from.router, to}] = best->from.port;
    }
  }

  const Topology& topology_;
  std::map<std::pair<RouterId, RouterId>, PortId> outputs_;  // By router and last router.
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

std::unique_ptr<Routing> make_dragonfly_ugal(const Section&, const RoutingContext& context) {
  require_vcs(context, 3, "a packet is in a channel for each of its phases");
  return std::make_unique<UgalByThreeVcs>(dynamic_cast<const Dragonfly&>(context.topology),
                                          context.virtual_channels);
}

std::unique_ptr<Routing> make_flatfly_ugal(const Section&, const RoutingContext& context) {
  constexpr std::int32_t kThreshold = 2;
  return std::make_unique<Ugal>(
      context.topology,
      in_differing_dimensions(dynamic_cast<const GeneralisedHypercube&>(context.topology)),
      phase_maker(context.topology), context.virtual_channels, kThreshold);
}

std::unique_ptr<Routing> make_least_latency(const Section&, const RoutingContext& context) {
  return std::make_unique<LeastLatency>(context.topology, context.virtual_channels);
}

}  // namespace

void add_reference_routings() {
  const char* const summary = "As the reference computes it, for its curves only.";
  routings().add({"reference_min_adapt", summary, {}, is_mesh, make_min_adapt});
  routings().add({"reference_planar_adapt", summary, {}, is_mesh, make_planar_adapt});
  routings().add({"reference_anca", summary, {}, accepts<FatTree>(), make_anca});
  routings().add(
      {"reference_dragonfly_min", summary, {}, accepts<Dragonfly>(), make_dragonfly_min});
  routings().add(
      {"reference_dragonfly_ugal", summary, {}, accepts<Dragonfly>(), make_dragonfly_ugal});
  routings().add(
      {"reference_flatfly_ugal", summary, {}, accepts<GeneralisedHypercube>(), make_flatfly_ugal});
  routings().add({"reference_least_latency", summary, {}, accepts<Graph>(), make_least_latency});
}

}  // namespace flitcast::conformance
