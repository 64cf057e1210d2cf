// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// In round k rank v has the chunks of v, v + 1, .. and sends those that rank v - 2^k lacks to that
/// rank.
Schedule bruck_all_gather(std::size_t p) {
  Schedule schedule;
  for_rounds(schedule, ceil_log(2, p), [&](std::size_t k) {
    const std::size_t step = std::size_t{1} << k;
    for (std::size_t v = 0; v < p; ++v) {
      std::vector<ChunkId> chunks;
      for (std::size_t i = 0; i < std::min(step, p - step); ++i) {
        chunks.push_back(chunk((v + i) % p));
      }
      schedule.add(rank(v), rank((v + p - step) % p), chunks);
    }
  });
  return schedule;
}

/// A chunk whose distance is i ranks moves by 2^k in round k if bit k of i is set.
Schedule bruck_all_to_all(std::size_t p) {
  Schedule schedule;
  for_rounds(schedule, ceil_log(2, p), [&](std::size_t k) {
    const std::size_t step = std::size_t{1} << k;
    for (std::size_t v = 0; v < p; ++v) {
      std::vector<ChunkId> chunks;
      for (std::size_t i = step; i < p; ++i) {
        if ((i & step) == 0) continue;
        const std::size_t origin = (v + p - i % step) % p;
        chunks.push_back(chunk(origin + p * ((origin + i) % p)));
      }
      schedule.add(rank(v), rank((v + step) % p), chunks);
    }
  });
  return schedule;
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

}  // namespace

CollectiveEntry bruck_collective() {
  return rank_entry("bruck", "Any network: chunks travel together, in ceil(log2 p) rounds.",
                    {Operation::kGossip, Operation::kAllToAllScatter},
                    make_on_ranks<bruck_claim, bruck_schedule>);
}

}  // namespace flitcast
