// SPDX-License-Identifier: Apache-2.0
#include "routing/catalog.h"

#include <algorithm>
#include <iterator>

#include "config/wording.h"
#include "routing/concentrated_routing.h"
#include "topology/concentrated.h"
#include "topology/grid.h"

namespace flitcast {

// The entries are defined in the files of their algorithms.
RoutingEntry dimension_order_routing();
RoutingEntry o1turn_routing();
RoutingEntry e_cube_routing();
std::vector<RoutingEntry> multistage_routings();
std::vector<RoutingEntry> shortest_path_routings();
RoutingEntry table_routing();
std::vector<RoutingEntry> two_phase_routings();
RoutingEntry adaptive_xy_yx_routing();
std::vector<RoutingEntry> turn_model_routings();
std::vector<RoutingEntry> minimal_adaptive_routings();
std::vector<RoutingEntry> tree_ascent_routings();
std::vector<RoutingEntry> dragonfly_routings();
RoutingEntry ugal_routing();
RoutingEntry hierarchical_routing();
std::vector<RoutingEntry> hamiltonian_path_routings();
std::vector<RoutingEntry> xy_multicast_routings();

Catalog<RoutingEntry>& routings() {
  static Catalog<RoutingEntry> catalog = catalog_of<RoutingEntry>({
      {dimension_order_routing(), o1turn_routing(), e_cube_routing()},
      multistage_routings(),
      shortest_path_routings(),
      {table_routing()},
      two_phase_routings(),
      {adaptive_xy_yx_routing()},
      turn_model_routings(),
      minimal_adaptive_routings(),
      tree_ascent_routings(),
      dragonfly_routings(),
      {ugal_routing(), hierarchical_routing()},
      hamiltonian_path_routings(),
      xy_multicast_routings(),
  });
  return catalog;
}

bool is_mesh(const Topology& topology) {
  const auto* grid = topology_as<Grid>(topology);
  return grid != nullptr && !grid->wraps();
}

void require_vcs(const RoutingContext& context, std::size_t least, const std::string& reason) {
  if (context.virtual_channels >= least || context.unsafe) return;
  throw ConfigError(Problem{context.vcs_place, "router.virtual_channels",
                            reason + ", and " + context.topology.name() + " has " +
                                std::to_string(context.virtual_channels) + " at each port",
                            "use " + std::to_string(least) + " or more, or another routing"});
}

Param selection_param() {
  return Param::choice(
      "selection",
      "Which of several open outputs a packet takes. free_credits: the one with the most free "
      "places behind it; random: any; round_robin: the next after the last.",
      {"free_credits", "random", "round_robin"});
}

OutputSelection selection_of(const Section& routing) {
  const std::string& name = routing.text("selection");
  if (name == "random") return OutputSelection::kRandom;
  return name == "round_robin" ? OutputSelection::kRoundRobin : OutputSelection::kFreeCredits;
}

bool accepts(const RoutingEntry& entry, const Topology& topology) {
  if (entry.accepts(topology)) return true;
  const auto* concentrated = topology_as<Concentrated>(topology);
  return concentrated != nullptr && entry.accepts(concentrated->core());
}

std::unique_ptr<Routing> make_accepted(const RoutingEntry& entry, const Section& routing,
                                       const RoutingContext& context) {
  if (entry.accepts(context.topology)) return entry.make(routing, context);
  if (!accepts(entry, context.topology)) return nullptr;
  const auto& concentrated = *topology_as<Concentrated>(context.topology);
  return std::make_unique<ConcentratedRouting>(
      concentrated, entry.make(routing, {concentrated.core(), context.virtual_channels,
                                         context.unsafe, context.vcs_place}));
}

std::string algorithms_for(const Topology& topology, const std::string& except) {
  return either(names_where(routings(), [&](const RoutingEntry& entry) {
    return accepts(entry, topology) && entry.name != except;
  }));
}

}  // namespace flitcast
