// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/trees.h"

#include "collective/lower_bounds.h"

namespace flitcast {

RoundPlan one_multicast(const RoundDemand& demand, std::size_t receivers) {
  RoundPlan plan;
  if (receivers == 0) return plan;
  std::vector<NodeId> to;
  for (std::size_t rank = 1; rank <= receivers; ++rank) to.push_back(demand.at_rank(rank));
  plan.begin_round();
  plan.add(demand.source, Carries::kChunk, 0, to);
  return plan;
}

RoundPlan binomial_copies(const RoundDemand& demand, std::size_t receivers) {
  RoundPlan plan;
  for (std::size_t d = ceil_log(2, receivers + 1); d-- > 0;) {
    const std::size_t step = std::size_t{1} << d;
    plan.begin_round();
    for (std::size_t rank = 0; rank + step <= receivers; rank += 2 * step) {
      plan.add_chunk(demand.at_rank(rank), demand.at_rank(rank + step), 0);
    }
  }
  return plan;
}

RoundPlan binomial_reduction(const RoundDemand& demand) {
  RoundPlan plan;
  for (std::size_t step = 1; step < demand.nodes; step *= 2) {
    plan.begin_round();
    for (std::size_t rank = step; rank < demand.nodes; rank += 2 * step) {
      plan.add_partial(demand.at_rank(rank), demand.at_rank(rank - step));
    }
  }
  return plan;
}

}  // namespace flitcast
