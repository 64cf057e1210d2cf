// SPDX-License-Identifier: Apache-2.0
#include "topology/catalog.h"

#include "topology/channel_classes.h"
#include "topology/faults.h"

namespace flitcast {

// Each entry is defined in the file of its topology.
TopologyEntry mesh_topology();
TopologyEntry torus_topology();
TopologyEntry ring_topology();
TopologyEntry hypercube_topology();
TopologyEntry complete_topology();
TopologyEntry butterfly_topology();
TopologyEntry clos_topology();
TopologyEntry cmesh_topology();
TopologyEntry flattened_butterfly_topology();
TopologyEntry hyperx_topology();
TopologyEntry slim_fly_topology();
TopologyEntry jellyfish_topology();
TopologyEntry crossbar_topology();
TopologyEntry dragonfly_topology();
TopologyEntry fat_tree_topology();
TopologyEntry folded_clos_topology();
TopologyEntry custom_topology();
TopologyEntry hierarchy_topology();

Catalog<TopologyEntry>& topologies() {
  static Catalog<TopologyEntry> catalog{
      mesh_topology(),      torus_topology(),
      ring_topology(),      hypercube_topology(),
      complete_topology(),  crossbar_topology(),
      cmesh_topology(),     flattened_butterfly_topology(),
      hyperx_topology(),    slim_fly_topology(),
      jellyfish_topology(), dragonfly_topology(),
      butterfly_topology(), clos_topology(),
      fat_tree_topology(),  folded_clos_topology(),
      custom_topology(),    hierarchy_topology(),
  };
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
  time_channels(*made, link);
  return made;
}

}  // namespace flitcast
