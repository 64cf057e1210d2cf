// SPDX-License-Identifier: Apache-2.0
// Barriers and scans in which the knowledge of a rank doubles in every round.
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// In round k every rank v sends its sum to rank partner(v, 2^k), if that rank exists.
template <class Partner>
Schedule doubling(const Demand& demand, Partner&& partner) {
  Schedule schedule;
  for_rounds(schedule, ceil_log(2, demand.nodes), [&](std::size_t k) {
    for (std::size_t v = 0; v < demand.nodes; ++v) {
      const std::size_t to = partner(v, std::size_t{1} << k);
      if (to < demand.nodes) schedule.add(rank(v), rank(to), kPartialSum);
    }
  });
  return schedule;
}

Schedule dissemination(const Demand& demand) {
  return doubling(demand,
                  [&](std::size_t v, std::size_t step) { return (v + step) % demand.nodes; });
}

Schedule doubling_scan(const Demand& demand) {
  return doubling(demand, [](std::size_t v, std::size_t step) { return v + step; });
}

/// D = ceil(log2 p) rounds of p messages, for every p: a union may count twice.
/// Source: D. Hensgen, R. Finkel and U. Manber, "Two algorithms for barrier synchronization",
/// International Journal of Parallel Programming 17 (1988).
Claim dissemination_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const std::size_t rounds = ceil_log(2, p);
  return {rounds, false, p * rounds, 0, rounds, p * rounds};
}

/// D rounds; p D - (2^D - 1) messages. Sums combine contiguous ranges of ranks, lower ranks left,
/// so an associative operator is enough. In an exclusive scan a rank adds its own contribution to
/// its sum only when it sends.
/// Source: W. D. Hillis and G. L. Steele, "Data parallel algorithms", Communications of the ACM 29
/// (1986).
Claim scan_claim(const Demand& demand) {
  const std::size_t rounds = ceil_log(2, demand.nodes);
  const std::size_t messages = demand.nodes * rounds - ((std::size_t{1} << rounds) - 1);
  return {rounds, false, messages, 0, rounds, messages};
}

}  // namespace

RankAlgorithm dissemination_algorithm() { return {dissemination_claim, dissemination}; }
RankAlgorithm scan_algorithm() { return {scan_claim, doubling_scan}; }

CollectiveEntry dissemination_collective() {
  return rank_entry("dissemination", "Any network: in round k rank v sends to rank v + 2^k.",
                    {Operation::kBarrier}, make_on_ranks<dissemination_claim, dissemination>);
}

CollectiveEntry hillis_steele_collective() {
  return rank_entry("hillis_steele", "Any network: in round k rank v adds what rank v - 2^k has.",
                    {Operation::kScan, Operation::kExclusiveScan},
                    make_on_ranks<scan_claim, doubling_scan>);
}

}  // namespace flitcast
