// SPDX-License-Identifier: Apache-2.0
#include "topology/catalog.h"

#include "topology/channel_classes.h"
#include "topology/faults.h"

namespace flitcast {

// The entries are defined in the files of their topologies.
std::vector<TopologyEntry> grid_topologies();
std::vector<TopologyEntry> hypercube_topologies();
std::vector<TopologyEntry> concentrated_topologies();
std::vector<TopologyEntry> regular_graph_topologies();
TopologyEntry dragonfly_topology();
TopologyEntry butterfly_topology();
TopologyEntry clos_topology();
std::vector<TopologyEntry> fat_tree_topologies();
TopologyEntry custom_topology();
TopologyEntry hierarchy_topology();

Catalog<TopologyEntry>& topologies() {
  static Catalog<TopologyEntry> catalog = catalog_of<TopologyEntry>({
      grid_topologies(),
      hypercube_topologies(),
      concentrated_topologies(),
      regular_graph_topologies(),
      {dragonfly_topology(), butterfly_topology(), clos_topology()},
      fat_tree_topologies(),
      {custom_topology(), hierarchy_topology()},
  });
  return catalog;
}

std::vector<std::size_t> counts_of(const Section& topology, const std::string& key) {
  const std::vector<std::int64_t> numbers = topology.integers(key);
  return {numbers.begin(), numbers.end()};
}

std::vector<Param> topology_keys() {
  std::vector<Param> keys =
      catalog_params(Param::choice("kind", "Family of networks."), topologies());
  keys.push_back(faults_param());
  return keys;
}

std::unique_ptr<Topology> make_topology(const Section& topology) {
  return with_faults(topologies().find(topology.text("kind"))->make(topology), topology);
}

std::unique_ptr<Topology> make_topology(const Section& topology, const Section& link) {
  std::unique_ptr<Topology> made = make_topology(topology);
  set_channels(*made, link);
  return made;
}

}  // namespace flitcast
