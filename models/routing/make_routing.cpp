// SPDX-License-Identifier: Apache-2.0
// Separate from catalog.cpp, because it names topologies by their examples, which are YAML.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "config/wording.h"
#include "routing/analysis/route_enumerator.h"
#include "routing/catalog.h"
#include "topology/catalog.h"
#include "topology/faults.h"

namespace flitcast {
namespace {

// The examples of the topology, except those that need a file.
std::vector<std::unique_ptr<Topology>> made_examples(const TopologyEntry& entry) {
  std::vector<std::unique_ptr<Topology>> made;
  for (const std::string& example : entry.examples) {
    try {
      made.push_back(entry.make(example_of(entry, "topology.kind", example)));
    } catch (const ConfigError&) {  // The example names a file.
    }
  }
  return made;
}

// "mesh", or "mesh 3x5" if the routing does not work on all examples of a mesh; empty if on none.
std::string topology_for(const RoutingEntry& routing, const TopologyEntry& entry,
                         const std::vector<std::unique_ptr<Topology>>& examples) {
  const auto works = [&](const auto& example) { return accepts(routing, *example); };
  if (!examples.empty() && all_of(examples, works)) return entry.name;
  const auto last = std::find_if(examples.rbegin(), examples.rend(), works);
  return last == examples.rend() ? "" : (*last)->name();
}

// "mesh, torus and ring". The examples are kept, because a caller that tries all pairs gets
// thousands of refusals.
std::string topologies_for(const RoutingEntry& routing) {
  static std::vector<std::vector<std::unique_ptr<Topology>>> examples;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < topologies().size(); ++i) {
    const TopologyEntry& entry = topologies()[i];
    if (i == examples.size()) examples.push_back(made_examples(entry));
    const std::string name = topology_for(routing, entry, examples[i]);
    if (!name.empty()) names.push_back(name);
  }
  return listed(names);
}

// Names the pairs of nodes whose packets the algorithm would send over failed links or routers.
[[noreturn]] void refuse_faults(const Section& section, const RoutingContext& context,
                                const Faulty& faulty) {
  const auto whole = make_routing(section, {faulty.whole(), context.virtual_channels, true});
  const auto pairs = pairs_over_faults(faulty, *whole, context.virtual_channels);
  section.fail(
      "kind",
      section.text("kind") + " does not know of faults" +
          (pairs.empty() ? ""
                         : ": over what has failed it sends packets from " + listed_pairs(pairs)),
      "choose " + algorithms_for(faulty));
}

}  // namespace

std::unique_ptr<Routing> make_routing(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  const RoutingEntry& entry = *routings().find(section.text("kind"));
  if (auto routing = make_accepted(entry, section, context)) return routing;
  const auto* faulty = topology_as<Faulty>(topology);
  if (faulty != nullptr && accepts(entry, faulty->whole())) {
    refuse_faults(section, context, *faulty);
  }
  section.fail("kind", entry.name + " does not work on " + topology.name(),
               "it works on " + topologies_for(entry) + "; for " + topology.name() + " choose " +
                   algorithms_for(topology));
}

}  // namespace flitcast
