// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/demand.h"
#include "collective/schedule.h"
#include "collective/verification.h"
#include "support/test_catch.h"
#include "topology/topology.h"

namespace flitcast {

/// Verifies a plan against its own claim; every fault fails the test.
inline Verification verify_plan(const Topology& topology, const Plan& plan, const Demand& demand,
                                const Discipline& discipline) {
  Verification verification = verify(topology, plan.schedule, demand, discipline, plan.claim);
  INFO(topology.name() << " from " << index(demand.source));
  INFO((verification.legal() ? "legal" : verification.violations.front().text));
  CHECK(verification.legal());
  return verification;
}

/// Verifies a wormhole broadcast.
inline Verification verify_broadcast(const Topology& topology, NodeId source, const Plan& plan,
                                     unsigned ports = kAllPorts) {
  return verify_plan(topology, plan, {Operation::kBroadcast, topology.node_count(), source},
                     {Switching::kWormhole, ports});
}

/// Verifies a store-and-forward broadcast.
inline Verification verify_hops(const Topology& topology, NodeId source, const Plan& plan,
                                unsigned ports) {
  return verify_plan(topology, plan, {Operation::kBroadcast, topology.node_count(), source},
                     {Switching::kStoreAndForward, ports});
}

/// Verifies another store-and-forward operation with all ports.
inline Verification verify_all_port(const Topology& topology, const Plan& plan, Operation operation,
                                    NodeId source = {}, std::size_t chunks_per_node = 1) {
  return verify_plan(topology, plan, {operation, topology.node_count(), source, chunks_per_node},
                     {Switching::kStoreAndForward, kAllPorts});
}

inline Verification verify_gossip(const Topology& topology, const Plan& plan,
                                  std::size_t chunks_per_node) {
  return verify_all_port(topology, plan, Operation::kGossip, {}, chunks_per_node);
}

/// Returns all nodes, each of which a test uses as the source.
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

/// A row of the specification's table: the expected cost of a broadcast. `rounds` counts up to the
/// last new receipt, so `fresh` may list more rounds.
struct Cost {
  std::size_t rounds;
  std::size_t transmissions;
  std::size_t duplicates;
  Numbers fresh;
};

inline void check_cost(const Verification& verification, const Cost& cost) {
  CHECK(verification.rounds == cost.rounds);
  CHECK(verification.transmissions == cost.transmissions);
  CHECK(verification.duplicates == cost.duplicates);
  CHECK(verification.new_per_round == cost.fresh);
}

}  // namespace flitcast
