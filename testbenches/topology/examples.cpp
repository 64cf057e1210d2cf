// SPDX-License-Identifier: Apache-2.0
#include "topology/examples.h"

#include <stdexcept>

#include "topology/catalog.h"

namespace flitcast {

std::vector<std::unique_ptr<Topology>> example_topologies() {
  std::vector<std::unique_ptr<Topology>> made;
  for (const TopologyEntry& entry : topologies()) {
    if (entry.examples.empty()) throw std::logic_error(entry.name + " has no example");
    for (const std::string& example : entry.examples) {
      made.push_back(entry.make(example_of(entry, "topology.kind", example,
                                           FLITCAST_TOPOLOGY_EXAMPLES "/experiment.yaml")));
    }
  }
  return made;
}

}  // namespace flitcast
