// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "collective/discipline.h"
#include "collective/plan.h"
#include "collective/step_machine.h"
#include "collective/wormhole_broadcast.h"

namespace flitcast {

/// Judges a store-and-forward broadcast against its own claim; whatever is wrong fails the test.
inline Judgement judge_hops(const Topology& topology, NodeId source, const Plan& plan,
                            unsigned ports) {
  Demand demand;
  demand.nodes = topology.node_count();
  demand.source = source;
  Judgement judgement =
      judge(topology, plan.schedule, demand, {Switching::kStoreAndForward, ports}, plan.claim);
  INFO(topology.name() << " from " << index(source));
  INFO((judgement.legal() ? "legal" : judgement.violations.front().text));
  CHECK(judgement.legal());
  return judgement;
}

/// All nodes, to be tried as sources.
inline std::vector<NodeId> nodes_of(const Topology& topology) {
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) nodes.push_back(NodeId{node});
  return nodes;
}

/// A row of the specification's table: what a broadcast is to cost. The rounds are those after
/// which nothing new is received, which may be fewer than `fresh` has.
struct Cost {
  std::size_t rounds;
  std::size_t transmissions;
  std::size_t duplicates;
  Numbers fresh;
};

inline void check_cost(const Judgement& judgement, const Cost& cost) {
  CHECK(judgement.rounds == cost.rounds);
  CHECK(judgement.transmissions == cost.transmissions);
  CHECK(judgement.duplicates == cost.duplicates);
  CHECK(judgement.new_per_round == cost.fresh);
}

}  // namespace flitcast
