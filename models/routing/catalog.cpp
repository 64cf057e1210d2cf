// SPDX-License-Identifier: Apache-2.0
#include "routing/catalog.h"

#include <algorithm>
#include <iterator>

#include "config/wording.h"
#include "topology/catalog.h"

namespace flitcast {

// Each is defined beside what it makes.
RoutingEntry dimension_order_routing();
RoutingEntry o1turn_routing();
RoutingEntry e_cube_routing();
RoutingEntry destination_tag_routing();
RoutingEntry middle_spread_routing();
RoutingEntry shortest_path_routing();

Catalog<RoutingEntry>& routings() {
  static Catalog<RoutingEntry> catalog{
      dimension_order_routing(), o1turn_routing(),        e_cube_routing(),
      destination_tag_routing(), middle_spread_routing(), shortest_path_routing(),
  };
  return catalog;
}

std::string algorithms_for(const Topology& topology, const std::string& except) {
  std::vector<std::string> names;
  for (const RoutingEntry& entry : routings()) {
    if (entry.accepts(topology) && entry.name != except) names.push_back(entry.name);
  }
  return either(names);
}

namespace {

// Whether the routing accepts the first example of the topology; not where that needs a file.
bool accepts_example(const RoutingEntry& routing, const TopologyEntry& topology) {
  if (topology.examples.empty()) return false;
  try {
    const auto example = example_of(topology, "topology.kind", topology.examples.front());
    return routing.accepts(*topology.make(example));
  } catch (const ConfigError&) {
    return false;
  }
}

// "mesh, torus and ring".
std::string topologies_for(const RoutingEntry& routing) {
  std::vector<std::string> names;
  for (const TopologyEntry& entry : topologies()) {
    if (accepts_example(routing, entry)) names.push_back(entry.name);
  }
  return listed(names);
}

}  // namespace

std::unique_ptr<Routing> make_routing(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  const RoutingEntry& entry = *routings().find(section.text("kind"));
  if (entry.accepts(topology)) return entry.make(section, context);
  section.fail("kind", entry.name + " does not work on " + topology.name(),
               "it works on " + topologies_for(entry) + "; for " + topology.name() + " choose " +
                   algorithms_for(topology));
}

}  // namespace flitcast
