// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/reductions.h"

#include <string>

#include "collective/precondition.h"
#include "collective/rounds/trees.h"

namespace flitcast {

namespace {

NodeId node(std::size_t number) { return NodeId{static_cast<std::uint32_t>(number)}; }

void require_power_of_two(std::size_t nodes) {
  std::size_t above = 1;
  while (above < nodes) above *= 2;
  if (above == nodes) return;
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      "recursive doubling is defined on 2^k nodes only, not on " + std::to_string(nodes),
      "use " + std::to_string(above / 2) + " or " + std::to_string(above) +
          " nodes, or multicast_rounds on a Clos network");
}

}  // namespace

RoundPlan reduce_and_multicast(const RoundDemand& demand) {
  RoundPlan plan = binomial_reduction(demand);
  if (demand.nodes == 1) return plan;
  std::vector<NodeId> others;
  for (std::size_t rank = 1; rank < demand.nodes; ++rank) others.push_back(demand.at_rank(rank));
  plan.begin_round();
  plan.add(demand.source, Carries::kResult, 0, others);
  return plan;
}

RoundPlan recursive_doubling_rounds(const RoundDemand& demand) {
  require_power_of_two(demand.nodes);
  RoundPlan plan;
  for (std::size_t bit = 1; bit < demand.nodes; bit *= 2) {
    plan.begin_round();
    for (std::size_t q = 0; q < demand.nodes; ++q) plan.add_partial(node(q), node(q ^ bit));
  }
  return plan;
}

RoundPlan dissemination(const RoundDemand& demand) {
  RoundPlan plan;
  for (std::size_t step = 1; step < demand.nodes; step *= 2) {
    plan.begin_round();
    for (std::size_t q = 0; q < demand.nodes; ++q) {
      plan.add_partial(node(q), node((q + step) % demand.nodes));
    }
  }
  return plan;
}

RoundPlan doubling_scan(const RoundDemand& demand) {
  RoundPlan plan;
  for (std::size_t step = 1; step < demand.nodes; step *= 2) {
    plan.begin_round();
    for (std::size_t q = 0; q + step < demand.nodes; ++q) {
      plan.add_partial(node(q), node(q + step));
    }
  }
  return plan;
}

}  // namespace flitcast
