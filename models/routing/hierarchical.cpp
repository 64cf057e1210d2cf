// SPDX-License-Identifier: Apache-2.0
#include "routing/hierarchical.h"

#include <algorithm>
#include <string>
#include <utility>

#include "config/problem.h"
#include "routing/catalog.h"

namespace flitcast {

Hierarchical::Hierarchical(const Hierarchy& dies, Part within, Part between,
                           std::size_t virtual_channels)
    : dies_(dies),
      within_(std::move(within)),
      between_(std::move(between)),
      virtual_channels_(virtual_channels),
      homes_(dies.within().router_count()),
      nodes_(dies.within().router_count()) {
  for (std::size_t n = dies.within().node_count(); n-- > 0;) {
    const Attachment& at = dies.within().attachment(to_id<NodeId>(n));
    if (at.injection.router != at.ejection.router) continue;
    homes_[index(at.injection.router)] = at;
    nodes_[index(at.injection.router)] = to_id<NodeId>(n);
  }
}

Hierarchical::Arrival Hierarchical::arrival_of(const RouteRequest& request) const {
  const std::size_t port = dies_.port_behind(request.router, request.input);
  if (port != dies_.ports()) {
    return {port, index(request.vc) * between_.virtual_channels / virtual_channels_};
  }
  // Nodes inject into class 0.
  const std::size_t of_class = index(request.vc) / within_.virtual_channels;
  if (of_class == 0) return {dies_.ports()};
  return {(of_class - 1) / between_.virtual_channels, (of_class - 1) % between_.virtual_channels};
}

VcSet Hierarchical::between_dies(VcSet vcs) const {
  VcSet spread = 0;
  for (const VcId vc : EachVc(vcs)) {
    const auto first = [&](std::size_t channel) {
      return (channel * virtual_channels_ + between_.virtual_channels - 1) /
             between_.virtual_channels;
    };
    spread |= vc_range(first(index(vc)), first(index(vc) + 1U) - first(index(vc)));
  }
  return spread;
}

Route Hierarchical::over_dies(const RouteRequest& request, const Arrival& arrival) const {
  const auto die = static_cast<std::uint32_t>(dies_.die(request.router));
  RouteRequest of_dies;
  of_dies.router = RouterId{die};
  of_dies.input = arrival.port == dies_.ports()
                      ? dies_.between().attachment(NodeId{die}).injection.port
                      : to_id<PortId>(arrival.port);
  of_dies.vc = to_id<VcId>(arrival.channel);
  of_dies.destination = to_id<NodeId>(dies_.die(request.destination));
  of_dies.ties = request.ties;
  return between_.routing->route(of_dies);
}

// A packet that arrives from another die, or by a further port of a node, begins as if the first
// node of the router had injected it.
Route Hierarchical::within_die(RouteRequest request, const Arrival& arrival,
                               NodeId destination) const {
  request.router = dies_.in_die(request.router);
  // The lowest virtual channel of the class of the arrival.
  const std::size_t first = arrival.port == dies_.ports()
                                ? 0
                                : (1 + arrival.port * between_.virtual_channels + arrival.channel) *
                                      within_.virtual_channels;
  if (index(request.input) >= dies_.within().input_count(request.router)) {
    request.input = homes_[index(request.router)].injection.port;
    request.vc = VcId{0};
  } else {
    request.vc = to_id<VcId>(index(request.vc) - first);
  }
  request.destination = destination;
  request.route_field = 0;
  const Route route = within_.routing->route(request);
  return {route.output, route.vcs << first};
}

Route Hierarchical::route(const RouteRequest& request) const {
  const Arrival arrival = arrival_of(request);
  if (dies_.die(request.router) == dies_.die(request.destination)) {
    return within_die(request, arrival, dies_.in_die(request.destination));
  }
  const Route next = over_dies(request, arrival);
  const Hierarchy::Gate& gate = dies_.gate(request.route_field, next.output);
  if (gate.router == dies_.in_die(request.router)) return {gate.output, between_dies(next.vcs)};
  return within_die(request, arrival, nodes_[index(gate.router)]);
}

namespace {

std::unique_ptr<Routing> make_hierarchical(const Section& section, const RoutingContext& context);

/// The keys of the two routings that a hierarchical routing combines: those of all routings with
/// paths except the hierarchical.
std::vector<Param> routing_keys_of_part() {
  Catalog<RoutingEntry> parts(std::initializer_list<RoutingEntry>{});
  for (const RoutingEntry& entry : routings()) {
    if (entry.make != make_hierarchical && entry.add_control == nullptr) parts.add(entry);
  }
  return catalog_params(Param::choice("kind", "Routing algorithm."), parts);
}

/// Makes the routing of a part of the network with at least `least` virtual channels, and as few as
/// it accepts.
Hierarchical::Part part_of(const Section& section, const Topology& topology, std::size_t least,
                           const RoutingContext& context) {
  const RoutingEntry& entry = *routings().find(section.text("kind"));
  if (!accepts(entry, topology)) {
    section.fail("kind", entry.name + " does not work on " + topology.name(),
                 "choose " + algorithms_for(topology));
  }
  for (std::size_t channels = least;; ++channels) {
    try {
      Hierarchical::Part part{
          make_accepted(entry, section, {topology, channels, context.unsafe, context.vcs_place}),
          channels};
      const Routing& routing = *part.routing;
      if (!routing.adaptive() && !routing.multicast() && routing.most_choices() == 1) return part;
      break;
    } catch (const ConfigError&) {
      if (channels >= context.virtual_channels) throw;
    }
  }
  section.fail("kind", entry.name + " does not give every packet one path",
               "choose a deterministic routing");
}

std::unique_ptr<Routing> make_hierarchical(const Section& section, const RoutingContext& context) {
  const auto& dies = context.on<Hierarchy>();
  ProblemList problems;
  Hierarchical::Part within, between;
  problems.attempt([&] { within = part_of(section.section("within"), dies.within(), 1, context); });
  problems.attempt(
      [&] { between = part_of(section.section("between"), dies.between(), 1, context); });
  problems.throw_if_any();
  const std::size_t classes = Hierarchical::classes(dies, between.virtual_channels);
  // Even an unsafe network needs all classes: the class of a VC shows from where a packet entered.
  RoutingContext safe = context;
  safe.unsafe = false;
  require_vcs(safe, classes * within.virtual_channels,
              std::to_string(classes) + " classes of virtual channels, " +
                  std::to_string(within.virtual_channels) +
                  " each, tell packets that begin in a die from those of each port between dies");
  const std::size_t share = context.virtual_channels / classes;
  if (share > within.virtual_channels) {
    within = part_of(section.section("within"), dies.within(), share, context);
  }
  return std::make_unique<Hierarchical>(dies, std::move(within), std::move(between),
                                        context.virtual_channels);
}

std::vector<Param> hierarchical_keys() {
  return {Param::section("within", "Routing within a die.", routing_keys_of_part()),
          Param::section("between", "Routing from die to die.", routing_keys_of_part())};
}

}  // namespace

RoutingEntry hierarchical_routing() {
  return {"hierarchical",
          "On hierarchies: a routing between dies and one within them. 1 VC and as many as ports "
          "between dies.",
          hierarchical_keys,
          accepts<Hierarchy>(),
          make_hierarchical,
          {"within: {kind: dimension_order}, between: {kind: dimension_order}",
           "within: {kind: up_down}, between: {kind: shortest_path}"}};
}

}  // namespace flitcast
