// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/demand.h"
#include "collective/judge.h"
#include "collective/schedule.h"
#include "support/test_catch.h"
#include "topology/topology.h"

namespace flitcast {

/// Judges a plan against its own claim; whatever is wrong fails the test.
inline Judgement judge_plan(const Topology& topology, const Plan& plan, const Demand& demand,
                            const Discipline& discipline) {
  Judgement judgement = judge(topology, plan.schedule, demand, discipline, plan.claim);
  INFO(topology.name() << " from " << index(demand.source));
  INFO((judgement.legal() ? "legal" : judgement.violations.front().text));
  CHECK(judgement.legal());
  return judgement;
}

/// Of a wormhole broadcast.
inline Judgement judge_broadcast(const Topology& topology, NodeId source, const Plan& plan,
                                 unsigned ports = kAllPorts) {
  return judge_plan(topology, plan, {Operation::kBroadcast, topology.node_count(), source},
                    {Switching::kWormhole, ports});
}

/// Of a store-and-forward broadcast.
inline Judgement judge_hops(const Topology& topology, NodeId source, const Plan& plan,
                            unsigned ports) {
  return judge_plan(topology, plan, {Operation::kBroadcast, topology.node_count(), source},
                    {Switching::kStoreAndForward, ports});
}

/// Of another operation under store-and-forward with all ports.
inline Judgement judge_all_port(const Topology& topology, const Plan& plan, Operation operation,
                                NodeId source = {}, std::size_t chunks_per_node = 1) {
  return judge_plan(topology, plan, {operation, topology.node_count(), source, chunks_per_node},
                    {Switching::kStoreAndForward, kAllPorts});
}

inline Judgement judge_gossip(const Topology& topology, const Plan& plan,
                              std::size_t chunks_per_node) {
  return judge_all_port(topology, plan, Operation::kGossip, {}, chunks_per_node);
}

/// All nodes, to be tried as sources.
inline std::vector<NodeId> nodes_of(const Topology& topology) {
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) nodes.push_back(NodeId{node});
  return nodes;
}

/// A list of the specification: {1, 2, 4} for "1;2;4".
using Numbers = std::vector<std::size_t>;

inline std::size_t sum(const Numbers& numbers) {
  std::size_t total = 0;
  for (const std::size_t number : numbers) total += number;
  return total;
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
