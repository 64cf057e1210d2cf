// SPDX-License-Identifier: Apache-2.0
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// Block b starts at rank b + 1 and ends at rank b as the sum of all contributions.
void add_reduce_scatter(Schedule& schedule, std::size_t p) {
  add_ring(schedule, p, [&](std::size_t place) { return partial_sum((place + p - 1) % p); });
}

Schedule ring_schedule(const Demand& demand) {
  const std::size_t p = demand.nodes;
  Schedule schedule;
  if (demand.operation == Operation::kGossip) {
    add_ring(schedule, p, [](std::size_t place) { return chunk(place); });
    return schedule;
  }
  add_reduce_scatter(schedule, p);
  if (demand.operation == Operation::kAllReduce) {
    add_ring(schedule, p, [](std::size_t place) { return result_of(place); });
  }
  return schedule;
}

/// Every rank sends to the next one only: p - 1 rounds of p messages with one block each. An
/// all-reduce is a reduce-scatter and an all-gather of p blocks. No algorithm moves fewer blocks
/// one after another. The sum of block b is formed in the order b + 1, b + 2, .. b of the ranks
/// (mod p), so the operator must be commutative.
/// Source: P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", Journal of Parallel and Distributed Computing 69 (2009).
Claim ring_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const std::size_t rounds = (demand.operation == Operation::kAllReduce ? 2 : 1) * (p - 1);
  return {rounds, false, p * rounds, 0, rounds, p * rounds};
}

std::size_t ring_cuts(const Section&, const Demand& demand) {
  return demand.operation == Operation::kAllReduce ? demand.nodes : 1;
}

}  // namespace

CollectiveEntry ring_collective() {
  return rank_entry("ring", "Any network: every rank sends blocks to the next one only.",
                    {Operation::kGossip, Operation::kReduceScatter, Operation::kAllReduce},
                    make_on_ranks<ring_claim, ring_schedule, ring_cuts>);
}

}  // namespace flitcast
