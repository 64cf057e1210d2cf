// SPDX-License-Identifier: Apache-2.0
// Broadcasts that cut the chunk into blocks.
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// Block r goes to rank r along the binomial tree; then all blocks go once round a ring.
Schedule scatter_all_gather(const Demand& demand) {
  const std::size_t p = demand.nodes;
  Schedule schedule;
  schedule.begin_phase("scatter");
  add_binomial_scatter(schedule, demand, chunk);
  schedule.begin_phase("all-gather");
  for_ranks(schedule, p - 1, p, [&](std::size_t t, std::size_t v) {
    schedule.add(demand.at_rank(v), demand.at_rank((v + 1) % p), chunk((v + p - t) % p));
  });
  return schedule;
}

/// p blocks: ceil(log2 p) + p - 1 rounds, 2 (p - 1) blocks one after another. Inner ranks of the
/// tree receive the blocks of their subtrees a second time: B blocks in all, the sum of popcount(i)
/// over i < p, which is also the number that the scatter sends.
/// Source: M. Barnett, S. Gupta, D. G. Payne, L. Shuler, R. van de Geijn and J. Watts, "Building a
/// high-performance collective communication library", Supercomputing (1994).
Claim scatter_all_gather_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const std::size_t travelled = popcounts_below(p);
  return {ceil_log(2, p) + p - 1, false, (p - 1) + p * (p - 1), travelled, 2 * (p - 1),
          travelled + p * (p - 1)};
}

/// Every rank passes blocks on to the next rank in the order in which they arrive.
Schedule chain(const Demand& demand) {
  const auto pass_on = [&](Schedule& schedule, std::size_t t, std::size_t v) {
    if (t < v || t - v >= demand.cuts) return;
    schedule.add(demand.at_rank(v), demand.at_rank(v + 1), chunk(t - v));
  };
  return rounds_of_ranks(demand.nodes - 2 + demand.cuts, demand.nodes - 1, pass_on);
}

/// S blocks: p - 2 + S rounds of a block each, (p - 1) S in all.
/// Source: J. Watts and R. van de Geijn, "A pipelined broadcast for multidimensional meshes",
/// Parallel Processing Letters 5 (1995).
Claim chain_claim(const Demand& demand) {
  const std::size_t rounds = demand.nodes - 2 + demand.cuts;
  const std::size_t messages = (demand.nodes - 1) * demand.cuts;
  return {rounds, false, messages, 0, rounds, messages};
}

}  // namespace

std::vector<CollectiveEntry> cut_broadcast_collectives() {
  return {rank_entry("scatter_all_gather",
                     "Any network: a block to every rank along a tree, then all once round a ring.",
                     {Operation::kBroadcast},
                     make_on_ranks<scatter_all_gather_claim, scatter_all_gather, by_ranks>),
          rank_entry("pipelined_chain", "Any network: every rank passes blocks on to the next one.",
                     {Operation::kBroadcast}, make_on_ranks<chain_claim, chain, segments>,
                     segment_keys())};
}

}  // namespace flitcast
