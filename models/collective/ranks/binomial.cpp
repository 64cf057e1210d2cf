// SPDX-License-Identifier: Apache-2.0
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

Schedule binomial_copies(const Demand& demand) {
  const std::size_t last = demand.informed();
  const std::size_t rounds = ceil_log(2, last + 1);
  Schedule schedule;
  for_rounds(schedule, rounds, [&](std::size_t t) {
    const std::size_t step = std::size_t{1} << (rounds - 1 - t);
    for (std::size_t v = 0; v + step <= last; v += 2 * step) {
      schedule.add(demand.at_rank(v), demand.at_rank(v + step), ChunkId{0});
    }
  });
  return schedule;
}

/// A reduction is the reverse of a broadcast.
Schedule binomial_reduction(const Demand& demand) {
  Schedule schedule;
  schedule.begin_phase("reduction");
  add_rounds(schedule, binomial_copies(demand), true, [](std::size_t) { return kPartialSum; });
  return schedule;
}

/// The plan is a reduction to the root, then a broadcast of the result along the same tree.
Schedule reduction_and_copies(const Demand& demand) {
  Schedule schedule = binomial_reduction(demand);
  schedule.begin_phase("broadcast");
  add_rounds(schedule, binomial_copies(demand), false, [](std::size_t) { return kResult; });
  return schedule;
}

Schedule binomial_scatter(const Demand& demand) {
  Schedule schedule;
  add_binomial_scatter(schedule, demand,
                       [&](std::size_t r) { return chunk(index(demand.at_rank(r))); });
  return schedule;
}

/// The gather is the reverse of the scatter.
Schedule binomial_gather(const Demand& demand) {
  const Schedule scatter = binomial_scatter(demand);
  Schedule schedule;
  add_rounds(schedule, scatter, true, [&](std::size_t m) {
    const Items items = scatter.items(m);
    return std::vector<ChunkId>(items.begin(), items.end());
  });
  return schedule;
}

Schedule binomial_schedule(const Demand& demand) {
  switch (demand.operation) {
    case Operation::kScatter:
      return binomial_scatter(demand);
    case Operation::kGather:
      return binomial_gather(demand);
    case Operation::kReduce:
      return binomial_reduction(demand);
    case Operation::kAllReduce:
    case Operation::kBarrier:
      return reduction_and_copies(demand);
    default:
      return binomial_copies(demand);
  }
}

/// One tree with D = ceil(log2 p) rounds for p ranks, p - 1 messages:
///
///   operation                 rounds   serial blocks   total blocks
///   broadcast, reduce         D        D               p - 1
///   multicast to g            as a broadcast on g + 1 ranks
///   scatter, gather           D        p - 1           sum of popcount(i) over i < p
///   all-reduce, barrier       2 D      2 D             2 (p - 1): reduce, then broadcast
///
/// Sums combine contiguous ranges of ranks, lower ranks left. Broadcasts, reductions and barriers
/// take the fewest rounds that one port allows, scatters and gathers also the fewest blocks.
/// Source: CS838 lecture notes (1999), "Collective communication", and R. Thakur, R. Rabenseifner
/// and W. Gropp, "Optimization of collective communication operations in MPICH", International
/// Journal of High Performance Computing Applications 19 (2005), for ranks that are no power of
/// two.
Claim binomial_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const std::size_t depth = ceil_log(2, p);
  switch (demand.operation) {
    case Operation::kScatter:
    case Operation::kGather:
      return {depth, false, p - 1, 0, p - 1, popcounts_below(p)};
    case Operation::kAllReduce:
    case Operation::kBarrier:
      return {2 * depth, false, 2 * (p - 1), 0, 2 * depth, 2 * (p - 1)};
    case Operation::kReduce:
      return {depth, false, p - 1, 0, depth, p - 1};
    default: {
      const std::size_t informed = demand.informed();
      const std::size_t rounds = ceil_log(2, informed + 1);
      return {rounds, false, informed, 0, rounds, informed};
    }
  }
}

}  // namespace

RankAlgorithm binomial_algorithm() { return {binomial_claim, binomial_schedule}; }

CollectiveEntry binomial_collective() {
  return rank_entry(
      "binomial", "Any network: along the binomial tree of the ranks.",
      {Operation::kBroadcast, Operation::kMulticast, Operation::kScatter, Operation::kGather,
       Operation::kReduce, Operation::kAllReduce, Operation::kBarrier},
      make_on_ranks<binomial_claim, binomial_schedule>);
}

}  // namespace flitcast
