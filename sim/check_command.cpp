// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "network/fabric.h"
#include "sim/commands.h"
#include "sim/model.h"
#include "sim/schema.h"
#include "sim/sweep.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

void print_topology(const Model& model) {
  const Topology& topology = *model.topology;
  std::cout << fmt::format("  topology  {}: {} nodes, {} routers, {} channels\n", topology.name(),
                           topology.node_count(), topology.router_count(),
                           topology.channels().size());
  constexpr std::size_t kMostRouters = 16384;  // Distances from every router take their time.
  if (topology.router_count() > kMostRouters) return;
  const TopologyMetrics metrics = measure(topology);
  std::cout << fmt::format("            degree {}, diameter {}, mean distance {:.4f}",
                           metrics.degree, metrics.diameter, metrics.mean_distance);
  if (metrics.bisection_channels) {
    std::cout << fmt::format(", bisection {} channels", *metrics.bisection_channels);
  }
  std::cout << '\n';
}

void print_routing(const Model& model) {
  if (!dependencies_are_checkable(model)) {
    std::cout << "  routing   network too large to check for deadlock\n";
    return;
  }
  const DependencyCheck check =
      check_dependencies(*model.topology, *model.routing, model.params.router.virtual_channels);
  std::cout << fmt::format("  routing   {} virtual channels, {} dependencies, {}\n", check.channels,
                           check.dependencies,
                           check.acyclic() ? "no circle: free of deadlock" : "with a circle");
}

void print_memory(const Model& model) {
  const std::uint64_t bytes = Fabric::memory_estimate(*model.topology, model.params.router);
  std::cout << fmt::format("  memory    about {:.1f} MiB\n",
                           static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

int check_command(const ExperimentOptions& options) {
  const Sweep sweep(options.file, options.overrides, experiment_schema());
  sweep.check();
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    const Configuration configuration = sweep.point(point);
    const Model model = make_model(configuration, options.unsafe);
    if (!options.unsafe && dependencies_are_checkable(model)) require_acyclic(model, configuration);
    const std::string which = sweep.swept() ? " " + sweep.values(configuration).dump() : "";
    std::cout << configuration.name() << which << ": valid\n";
    print_topology(model);
    print_routing(model);
    print_memory(model);
  }
  return kDone;
}

}  // namespace flitcast
