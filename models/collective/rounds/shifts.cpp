// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/shifts.h"

namespace flitcast {

namespace {

std::uint32_t number(std::size_t node) { return static_cast<std::uint32_t>(node); }

// Round t: every node q sends chunk chunk_of(q, q + t).
template <class ChunkOf>
RoundPlan all_shift(std::size_t nodes, ChunkOf&& chunk_of) {
  RoundPlan plan;
  for (std::size_t t = 1; t < nodes; ++t) {
    plan.begin_round();
    for (std::size_t q = 0; q < nodes; ++q) {
      const std::size_t to = (q + t) % nodes;
      plan.add_chunk(NodeId{number(q)}, NodeId{number(to)}, number(chunk_of(q, to)));
    }
  }
  return plan;
}

}  // namespace

RoundPlan shifted_scatter(const RoundDemand& demand) {
  RoundPlan plan;
  for (std::size_t t = 1; t < demand.nodes; ++t) {
    const NodeId to = demand.at_rank(t);
    plan.begin_round();
    plan.add_chunk(demand.source, to, index(to));
  }
  return plan;
}

RoundPlan shifted_gather(const RoundDemand& demand) {
  RoundPlan plan;
  for (std::size_t t = 1; t < demand.nodes; ++t) {
    const NodeId from = demand.at_rank(t);
    plan.begin_round();
    plan.add_chunk(from, demand.source, index(from));
  }
  return plan;
}

RoundPlan shifted_gossip(const RoundDemand& demand) {
  return all_shift(demand.nodes, [](std::size_t from, std::size_t) { return from; });
}

RoundPlan shifted_exchange(const RoundDemand& demand) {
  return all_shift(demand.nodes, [nodes = demand.nodes](std::size_t from, std::size_t to) {
    return from + nodes * to;
  });
}

RoundPlan multicasts_in_turn(const RoundDemand& demand) {
  RoundPlan plan;
  if (demand.nodes == 1) return plan;
  std::vector<NodeId> others;
  for (std::uint32_t q = 1; q < demand.nodes; ++q) others.push_back(NodeId{q});
  for (std::uint32_t q = 0; q < demand.nodes; ++q) {
    plan.begin_round();
    plan.add(NodeId{q}, Carries::kChunk, q, others);
    if (q < others.size()) others[q] = NodeId{q};  // In the place of node q + 1, the next sender.
  }
  return plan;
}

}  // namespace flitcast
