// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "permutation/experiment.h"
#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "topology/catalog.h"

namespace flitcast {

/// A permutation workload on a topology, without a network.
struct PaperCase {
  /// @param topology  "mesh, sizes: [4, 4]".
  /// @param routing   "dimension_order".
  /// @param workload  "permutation: transpose, algorithm: greedy".
  PaperCase(const std::string& topology, const std::string& routing, const std::string& workload,
            std::uint64_t run = 0)
      : section(read_section("workload", permutation_params(), "{" + workload + "}", "x.yaml")),
        network(make_topology(topology)),
        context{*network, section, 1, make_routing_of(routing), "", run} {}

  StepFigures play() const { return play_on_steps(*network, make_route(context), 1); }

  static std::unique_ptr<Topology> make_topology(const std::string& text) {
    const Section topology =
        read_section("topology", catalog_params(Param::choice("kind", ""), topologies()),
                     "{kind: " + text + "}", "x.yaml");
    return find(topologies(), topology.text("kind"))->make(topology);
  }
  std::shared_ptr<const Routing> make_routing_of(const std::string& text) const {
    const Section routing =
        read_section("routing", catalog_params(Param::choice("kind", ""), routings()),
                     "{kind: " + text + "}", "x.yaml");
    return make_routing(routing, {*network, 2, false});
  }

  Section section;
  std::unique_ptr<Topology> network;
  PermutationContext context;
};

inline StepFigures figures_of(const std::string& topology, const std::string& routing,
                              const std::string& workload) {
  return PaperCase(topology, routing, workload).play();
}

/// One phase of packets: on a grid by dimension order with farthest-first queues, or on a cube by
/// bit fixing with FIFO queues.
class OnePhase {
 public:
  explicit OnePhase(const Grid& grid)
      : routing_(std::make_unique<DimensionOrder>(grid, DimensionOrder::Params{})),
        priority_(std::make_unique<FarthestFirst>(grid)),
        paths_(grid, *routing_, 1) {}
  explicit OnePhase(const Hypercube& cube)
      : routing_(std::make_unique<ECube>(cube, ECube::Order::kMostSignificantFirst, 1)),
        priority_(std::make_unique<Fifo>()),
        paths_(cube, *routing_, 1) {}

  PhaseOutcome run(const Instance& packets) {
    StepMachine machine(paths_, *priority_);
    const MovePlan plan = phases_over(packets, {});
    PhaseOutcome outcome = machine.run(plan.phases.messages(0));
    theorem = check_delay_theorem(machine, outcome);
    return outcome;
  }

  DelayTheorem theorem;  ///< The theorem's result for the last run.

 private:
  std::unique_ptr<Routing> routing_;
  std::unique_ptr<QueuePriority> priority_;
  MovePaths paths_;
};

}  // namespace flitcast
