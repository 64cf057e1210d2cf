// SPDX-License-Identifier: Apache-2.0
#include "routing/two_phase.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/shortest_path.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"

namespace flitcast {

TwoPhase::TwoPhase(const Topology& topology, Detour detour, const PhaseMaker& make,
                   std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)),
      detour_(std::move(detour)),
      first_node_input_(topology.attachment(NodeId{0}).injection.port),
      ejection_(topology.attachment(NodeId{0}).ejection.port),
      shared_(virtual_channels == 1),
      lower_(virtual_channels - virtual_channels / 2),
      phases_{make(lower_), make(shared_ ? 1 : virtual_channels - lower_)} {
  if (topology.node_count() > kMostNodes) {
    throw std::invalid_argument("an intermediate node has 16 bits in the header");
  }
}

// Routers are numbered like their nodes.
Route TwoPhase::route(const RouteRequest& request) const {
  const bool first = from_node(request) || index(request.vc) < lower_;
  if (first && index(request.router) != request.route_field) return route_in(0, request, false);
  return route_in(1, request, first);
}

void TwoPhase::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  if (!shared_) return Routing::alternatives(request, alternatives);
  const bool starts = index(request.router) == request.route_field;
  const bool second = starts || request.route_field == index(request.destination);
  const Route route = route_in(second ? 1 : 0, request, starts);
  const std::uint32_t route_field = second ? index(request.destination) : request.route_field;
  alternatives.add({route.output, static_cast<std::uint16_t>(route_field), route.vcs});
}

// A packet that starts its second phase is routed as if its node had injected it there.
Route TwoPhase::route_in(std::size_t phase, RouteRequest request, bool starts) const {
  const std::size_t first_vc = phase == 0 || shared_ ? 0 : lower_;
  if (starts || from_node(request)) {
    request.input = first_node_input_;
    request.vc = VcId{0};
  } else {
    request.vc = to_id<VcId>(index(request.vc) - first_vc);
  }
  if (phase == 0) request.destination = NodeId{request.route_field};
  const Route route = phases_[phase]->route(request);
  return {route.output, route.output == ejection_ ? all_ : route.vcs << first_vc};
}

Detour valiant_detour(const Topology& topology) {
  const auto nodes = static_cast<std::uint32_t>(topology.node_count());
  return {nodes, [=](NodeId, NodeId) { return nodes; },
          [](NodeId, NodeId, std::uint32_t number) { return NodeId{number}; }};
}

namespace {

/// Only bits in which source and destination differ may change.
Detour in_subcube(const Hypercube& cube) {
  return {static_cast<std::uint32_t>(cube.node_count()),
          [](NodeId source, NodeId destination) {
            return 1U << __builtin_popcount(index(source) ^ index(destination));
          },
          [](NodeId source, NodeId destination, std::uint32_t number) {
            std::uint32_t node = index(source);
            std::uint32_t differing = index(source) ^ index(destination);
            for (; differing != 0; differing &= differing - 1, number >>= 1) {
              if ((number & 1) != 0) node ^= differing & (~differing + 1);
            }
            return NodeId{node};
          }};
}

}  // namespace

// In the smallest box or subcube around source and destination, paths stay minimal.
Detour romm_detour(const Topology& topology) {
  if (const auto* cube = topology_as<Hypercube>(topology)) return in_subcube(*cube);
  const auto grid = std::make_shared<const Grid>(dynamic_cast<const Grid&>(topology));
  const auto side = [=](NodeId source, NodeId destination, std::size_t dimension) {
    const auto a = static_cast<std::uint32_t>(grid->coordinate(source, dimension));
    const auto b = static_cast<std::uint32_t>(grid->coordinate(destination, dimension));
    return (a < b ? b - a : a - b) + 1;
  };
  return {static_cast<std::uint32_t>(grid->node_count()),
          [=](NodeId source, NodeId destination) {
            std::uint32_t choices = 1;
            for (std::size_t d = 0; d < grid->dimensions(); ++d) {
              choices *= side(source, destination, d);
            }
            return choices;
          },
          [=](NodeId source, NodeId destination, std::uint32_t number) {
            std::uint32_t node = 0;
            for (std::size_t d = 0; d < grid->dimensions(); ++d) {
              const std::uint32_t length = side(source, destination, d);
              const auto low =
                  std::min(grid->coordinate(source, d), grid->coordinate(destination, d));
              node += static_cast<std::uint32_t>((low + number % length) * grid->stride(d));
              number /= length;
            }
            return NodeId{node};
          }};
}

// Packets that a node sends to itself make no detour.
Detour y_x_y_detour(const Topology& topology) {
  const auto& grid = dynamic_cast<const Grid&>(topology);
  const auto size = static_cast<std::uint32_t>(grid.size(grid.dimensions() - 1));
  const auto stride = static_cast<std::uint32_t>(grid.stride(grid.dimensions() - 1));
  return {size, [=](NodeId source, NodeId destination) { return source == destination ? 1 : size; },
          [=](NodeId source, NodeId destination, std::uint32_t number) {
            if (source == destination) return source;
            return NodeId{index(source) % stride + number * stride};
          }};
}

bool takes_two_phases(const Topology& topology) {
  return accepts<Grid, Hypercube, GeneralisedHypercube, RegularGraph>()(topology);
}

TwoPhase::PhaseMaker phase_maker(const Topology& topology) {
  constexpr auto kOrder = ECube::Order::kMostSignificantFirst;
  if (const auto* cube = topology_as<Hypercube>(topology)) {
    return [=](std::size_t vcs) { return std::make_unique<ECube>(*cube, kOrder, vcs); };
  }
  if (const auto* cube = topology_as<GeneralisedHypercube>(topology)) {
    return [=](std::size_t vcs) { return std::make_unique<DigitECube>(*cube, kOrder, vcs); };
  }
  if (const auto* graph = topology_as<RegularGraph>(topology)) {
    return [=](std::size_t vcs) {
      return std::make_unique<ShortestPath>(*graph, ShortestPath::Params{vcs, true, true});
    };
  }
  return [&grid = *topology_as<Grid>(topology)](std::size_t vcs) {
    DimensionOrder::Params params;
    params.virtual_channels = vcs;
    params.classes =
        needs_classes(grid) && vcs > 1 ? VcClasses::kDallySeitzFixed : VcClasses::kNone;
    return std::make_unique<DimensionOrder>(grid, params);
  };
}

namespace {

/// The number of VCs that both phases together need.
std::size_t least_vcs(const Topology& topology) {
  if (accepts<RegularGraph>()(topology)) return 2 * measure(topology).diameter;
  const auto* grid = topology_as<Grid>(topology);
  return grid != nullptr && needs_classes(*grid) ? 4 : 2;
}

}  // namespace

void check_two_phases(const Section& section, const RoutingContext& context) {
  if (context.topology.node_count() > TwoPhase::kMostNodes) {
    section.fail("kind", "an intermediate node has 16 bits in the header",
                 "use at most 65536 nodes, or another routing");
  }
  require_vcs(context, least_vcs(context.topology),
              "packets of the second phase must not wait "
              "behind those of the first");
}

RoutingContext telling_phases_apart(const RoutingContext& context) {
  RoutingContext checked = context;
  if (context.virtual_channels == 1) checked.unsafe = false;
  return checked;
}

namespace {

template <Detour (*detour)(const Topology&)>
std::unique_ptr<Routing> make_two_phase(const Section& section, const RoutingContext& context) {
  check_two_phases(section, context);
  return std::make_unique<TwoPhase>(context.topology, detour(context.topology),
                                    phase_maker(context.topology), context.virtual_channels);
}

}  // namespace

std::vector<RoutingEntry> two_phase_routings() {
  return {
      {"valiant",
       "On mesh, torus, ring, hypercube, flattened butterfly, HyperX, Slim Fly and Jellyfish: to "
       "any router, drawn at the source, then to the destination. 2 VCs; 4 where a wrapped size "
       "exceeds 3; twice the diameter of the last two.",
       {},
       takes_two_phases,
       make_two_phase<valiant_detour>},
      {"romm",
       "On mesh and hypercube: to a node drawn between source and destination, then to the "
       "destination. 2 VCs.",
       {},
       [](const Topology& topology) { return accepts<Hypercube>()(topology) || is_mesh(topology); },
       make_two_phase<romm_detour>},
      {"y_x_y",
       "On meshes: to a node drawn in the source's column (last dimension), then in dimension "
       "order. 2 VCs.",
       {},
       is_mesh,
       make_two_phase<y_x_y_detour>}};
}

}  // namespace flitcast
