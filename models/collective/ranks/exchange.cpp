// SPDX-License-Identifier: Apache-2.0
// Algorithms in which, in every round, each rank sends to one other rank by the same rule:
// exchanges, dissemination.
#include <algorithm>
#include <vector>

#include "base/sequences.h"
#include "collective/precondition.h"
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// In round t every rank v sends to rank partner(v, t).
template <class Partner>
Schedule exchange(const Demand& demand, Partner&& partner) {
  const std::size_t p = demand.nodes;
  const bool personal = demand.operation == Operation::kAllToAllScatter;
  return rounds_of_ranks(p - 1, p, [&](Schedule& schedule, std::size_t t, std::size_t v) {
    const std::size_t to = partner(v, t + 1);
    schedule.add(rank(v), rank(to), chunk(personal ? v + p * to : v));
  });
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

/// In round k rank v has the chunks of v, v + 1, .. and sends those that rank v - 2^k lacks to that
/// rank.
Schedule bruck_all_gather(std::size_t p) {
  return rounds_of_ranks(ceil_log(2, p), p, [&](Schedule& schedule, std::size_t k, std::size_t v) {
    const std::size_t step = std::size_t{1} << k;
    schedule.add(
        rank(v), rank((v + p - step) % p),
        tabulated(std::min(step, p - step), [&](std::size_t i) { return chunk((v + i) % p); }));
  });
}

/// A chunk whose distance is i ranks moves by 2^k in round k if bit k of i is set.
Schedule bruck_all_to_all(std::size_t p) {
  return rounds_of_ranks(ceil_log(2, p), p, [&](Schedule& schedule, std::size_t k, std::size_t v) {
    const std::size_t step = std::size_t{1} << k;
    std::vector<ChunkId> chunks;
    for (std::size_t i = step; i < p; ++i) {
      if ((i & step) == 0) continue;
      const std::size_t origin = (v + p - i % step) % p;
      chunks.push_back(chunk(origin + p * ((origin + i) % p)));
    }
    schedule.add(rank(v), rank((v + step) % p), chunks);
  });
}

Schedule bruck_schedule(const Demand& demand) {
  return demand.operation == Operation::kGossip ? bruck_all_gather(demand.nodes)
                                                : bruck_all_to_all(demand.nodes);
}

/// D = ceil(log2 p) rounds, the minimum, of p messages each. An all-gather sends p - 1 blocks one
/// after another; an all-to-all B, the sum of popcount(i) over i < p, because chunks take several
/// hops, so it pays where start-up costs more than length. p times as many blocks in all.
/// Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, "Efficient algorithms for
/// all-to-all communications in multiport message-passing systems", IEEE Transactions on Parallel
/// and Distributed Systems 8 (1997).
Claim bruck_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const std::size_t rounds = ceil_log(2, p);
  const std::size_t serial = demand.operation == Operation::kGossip ? p - 1 : popcounts_below(p);
  return {rounds, false, p * rounds, 0, serial, p * serial};
}

/// In round k every rank v sends its sum to rank partner(v, 2^k), if that rank exists.
template <class Partner>
Schedule doubling(const Demand& demand, Partner&& partner) {
  const std::size_t p = demand.nodes;
  return rounds_of_ranks(ceil_log(2, p), p, [&](Schedule& schedule, std::size_t k, std::size_t v) {
    const std::size_t to = partner(v, std::size_t{1} << k);
    if (to < p) schedule.add(rank(v), rank(to), kPartialSum);
  });
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

RankAlgorithm shift_algorithm() { return {shift_claim, shift_exchange}; }
RankAlgorithm dissemination_algorithm() { return {dissemination_claim, dissemination}; }
RankAlgorithm scan_algorithm() { return {scan_claim, doubling_scan}; }

std::vector<CollectiveEntry> exchange_collectives() {
  return {rank_entry("shift_exchange", "Any network: in round t every rank v sends to rank v + t.",
                     {Operation::kAllToAllScatter, Operation::kGossip},
                     make_on_ranks<shift_claim, shift_exchange>),
          rank_entry("pairwise_exchange",
                     "Any network of 2^k ranks: in round t ranks v and v XOR t exchange.",
                     {Operation::kAllToAllScatter, Operation::kGossip},
                     make_on_ranks<pairwise_claim, pairwise_exchange>),
          rank_entry("dissemination", "Any network: in round k rank v sends to rank v + 2^k.",
                     {Operation::kBarrier}, make_on_ranks<dissemination_claim, dissemination>),
          rank_entry("hillis_steele", "Any network: in round k rank v adds what rank v - 2^k has.",
                     {Operation::kScan, Operation::kExclusiveScan},
                     make_on_ranks<scan_claim, doubling_scan>)};
}

CollectiveEntry bruck_collective() {
  return rank_entry("bruck", "Any network: chunks travel together, in ceil(log2 p) rounds.",
                    {Operation::kGossip, Operation::kAllToAllScatter},
                    make_on_ranks<bruck_claim, bruck_schedule>);
}

}  // namespace flitcast
