// SPDX-License-Identifier: Apache-2.0
// Every rank sends directly to every other rank, one after the other.
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// In round t every rank v sends to rank partner(v, t).
template <class Partner>
Schedule exchange(const Demand& demand, Partner&& partner) {
  const bool personal = demand.operation == Operation::kAllToAllScatter;
  Schedule schedule;
  for_rounds(schedule, demand.nodes - 1, [&](std::size_t t) {
    for (std::size_t v = 0; v < demand.nodes; ++v) {
      const std::size_t to = partner(v, t + 1);
      schedule.add(rank(v), rank(to), chunk(personal ? v + demand.nodes * to : v));
    }
  });
  return schedule;
}

Schedule shift_exchange(const Demand& demand) {
  return exchange(demand, [&](std::size_t v, std::size_t t) { return (v + t) % demand.nodes; });
}

Schedule pairwise_exchange(const Demand& demand) {
  return exchange(demand, [](std::size_t v, std::size_t t) { return v ^ t; });
}

/// p - 1 rounds of p messages with one chunk each; an all-to-all cannot move fewer. In a shift all
/// messages of a round go the same distance; pairwise exchange works on 2^n ranks only.
/// Source: the same as for recursive doubling, ranks/doubling.cpp.
Claim shift_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  return {p - 1, false, p * (p - 1), 0, p - 1, p * (p - 1)};
}

Claim pairwise_claim(const Demand& demand) {
  require(on_power_of_two("pairwise exchange", demand.nodes, "algorithm: shift_exchange"));
  return shift_claim(demand);
}

}  // namespace

RankAlgorithm shift_algorithm() { return {shift_claim, shift_exchange}; }

CollectiveEntry shift_exchange_collective() {
  return rank_entry("shift_exchange", "Any network: in round t every rank v sends to rank v + t.",
                    {Operation::kAllToAllScatter, Operation::kGossip},
                    make_on_ranks<shift_claim, shift_exchange>);
}

CollectiveEntry pairwise_exchange_collective() {
  return rank_entry("pairwise_exchange",
                    "Any network of 2^k ranks: in round t ranks v and v XOR t exchange.",
                    {Operation::kAllToAllScatter, Operation::kGossip},
                    make_on_ranks<pairwise_claim, pairwise_exchange>);
}

}  // namespace flitcast
