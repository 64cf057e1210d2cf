// SPDX-License-Identifier: Apache-2.0
#include "routing/catalog.h"

#include <algorithm>
#include <iterator>

#include "config/wording.h"
#include "routing/concentrated_routing.h"
#include "topology/concentrated.h"
#include "topology/grid.h"

namespace flitcast {

// Each entry is defined in the file of its algorithm.
RoutingEntry dimension_order_routing();
RoutingEntry o1turn_routing();
RoutingEntry e_cube_routing();
RoutingEntry destination_tag_routing();
RoutingEntry middle_spread_routing();
RoutingEntry d_mod_k_routing();
RoutingEntry nearest_common_ancestor_routing();
RoutingEntry adaptive_ascent_routing();
RoutingEntry dragonfly_minimal_routing();
RoutingEntry dragonfly_valiant_routing();
RoutingEntry ugal_routing();
RoutingEntry hierarchical_routing();
RoutingEntry shortest_path_routing();
RoutingEntry table_routing();
RoutingEntry valiant_routing();
RoutingEntry romm_routing();
RoutingEntry y_x_y_routing();
RoutingEntry adaptive_xy_yx_routing();
RoutingEntry west_first_routing();
RoutingEntry north_last_routing();
RoutingEntry negative_first_routing();
RoutingEntry odd_even_routing();
RoutingEntry planar_adaptive_routing();
RoutingEntry minimal_adaptive_routing();
RoutingEntry up_down_routing();
RoutingEntry dual_path_routing();
RoutingEntry multi_path_routing();
RoutingEntry column_path_routing();
RoutingEntry xy_tree_routing();

Catalog<RoutingEntry>& routings() {
  static Catalog<RoutingEntry> catalog{
      dimension_order_routing(),
      o1turn_routing(),
      e_cube_routing(),
      destination_tag_routing(),
      middle_spread_routing(),
      shortest_path_routing(),
      up_down_routing(),
      table_routing(),
      valiant_routing(),
      romm_routing(),
      y_x_y_routing(),
      adaptive_xy_yx_routing(),
      west_first_routing(),
      north_last_routing(),
      negative_first_routing(),
      odd_even_routing(),
      planar_adaptive_routing(),
      minimal_adaptive_routing(),
      d_mod_k_routing(),
      nearest_common_ancestor_routing(),
      adaptive_ascent_routing(),
      dragonfly_minimal_routing(),
      dragonfly_valiant_routing(),
      ugal_routing(),
      hierarchical_routing(),
      dual_path_routing(),
      multi_path_routing(),
      column_path_routing(),
      xy_tree_routing(),
  };
  return catalog;
}

bool is_mesh(const Topology& topology) {
  const auto* grid = topology_as<Grid>(topology);
  if (grid == nullptr) return false;
  for (std::size_t d = 0; d < grid->dimensions(); ++d) {
    if (grid->wraps(d)) return false;
  }
  return true;
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
  std::vector<std::string> names;
  for (const RoutingEntry& entry : routings()) {
    if (accepts(entry, topology) && entry.name != except) names.push_back(entry.name);
  }
  return either(names);
}

}  // namespace flitcast
