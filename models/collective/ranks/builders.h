// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "collective/catalog.h"
#include "collective/cost.h"

namespace flitcast {

// What algorithms between ranks share. A rank sends at most one message in a round and receives at
// most one, whatever network joins them; a message may carry several items. Ranks of operations
// with a root count from the root upwards (Demand::at_rank()). One rank sends nothing.

inline NodeId rank(std::size_t number) { return NodeId{static_cast<std::uint32_t>(number)}; }
inline ChunkId chunk(std::size_t number) { return ChunkId{static_cast<std::uint32_t>(number)}; }

/// The largest k with 2^k <= p, for p >= 1.
std::size_t floor_log2(std::size_t p);

/// The sum of popcount(i) over i < p: hops of p chunks from the root of a binomial tree.
std::size_t popcounts_below(std::size_t p);

/// Throws PreconditionError unless p is a power of two; the hint names the nearest that are.
/// @param algorithm  "recursive doubling"
/// @param else_use  What works on any p: "algorithm: ring"
void require_power_of_two(const char* algorithm, std::size_t p, const char* else_use);

/// Calls add(t) for t = 0 .. rounds - 1 after opening a round for it.
template <class Add>
void for_rounds(Schedule& schedule, std::size_t rounds, Add&& add) {
  for (std::size_t t = 0; t < rounds; ++t) {
    schedule.begin_round();
    add(t);
  }
}

/// In round t every rank v sends to rank (v + 1) mod p the item that `item` names for the place
/// (v - t) mod p: what starts at place v goes once round.
template <class MakeItem>
void add_ring(Schedule& schedule, std::size_t p, MakeItem&& item) {
  for_rounds(schedule, p - 1, [&](std::size_t t) {
    for (std::size_t v = 0; v < p; ++v) {
      schedule.add(rank(v), rank((v + 1) % p), item((v + p - t) % p));
    }
  });
}

/// A scatter along the tree: a rank gets the chunks of its subtree, those of rank r by chunk_of(r).
template <class ChunkOf>
void add_binomial_scatter(Schedule& schedule, const Demand& demand, ChunkOf&& chunk_of) {
  const std::size_t p = demand.nodes;
  const std::size_t rounds = ceil_log(2, p);
  for_rounds(schedule, rounds, [&](std::size_t t) {
    const std::size_t step = std::size_t{1} << (rounds - 1 - t);
    for (std::size_t v = 0; v + step < p; v += 2 * step) {
      std::vector<ChunkId> subtree;
      for (std::size_t r = v + step; r < std::min(v + 2 * step, p); ++r) {
        subtree.push_back(chunk_of(r));
      }
      schedule.add(demand.at_rank(v), demand.at_rank(v + step), subtree);
    }
  });
}

/// What an algorithm promises of an instance, and its messages.
struct RankAlgorithm {
  Claim (*claim)(const Demand& demand);
  Schedule (*schedule)(const Demand& demand);
};

/// Along the binomial tree of the ranks 0 .. demand.informed(). Steps of broadcasts halve, so
/// messages go far while they are few and their paths in grids stay apart; in which order steps
/// come makes no difference to a nonblocking network.
RankAlgorithm binomial_algorithm();

/// In round t = 1 .. p - 1 every rank v sends to rank v + t (mod p) its chunk, or the chunk for it.
RankAlgorithm shift_algorithm();

/// Between 2^f of the ranks, f = floor(log2 p), in round k with the rank whose number among them
/// differs in bit k. Odd ranks below 2 (p - 2^f) give what they have to the even rank before them
/// first, and get the rest back last.
RankAlgorithm doubling_algorithm();

/// In round k rank v tells rank v + 2^k (mod p) who has come as far as it knows.
RankAlgorithm dissemination_algorithm();

/// In round k rank v sends the sum of the ranks v - 2^k + 1 .. v to rank v + 2^k.
RankAlgorithm scan_algorithm();

/// One block for each chunk or contribution: nothing is cut.
inline std::size_t whole(const Section&, const Demand&) { return 1; }

/// As many blocks as ranks.
inline std::size_t by_ranks(const Section&, const Demand& demand) { return demand.nodes; }

/// As many as the keys of segment_keys() say: `segments`, or as many as it takes that none is
/// longer than `segment`.
std::size_t segments(const Section& workload, const Demand& demand);
Keys segment_keys();

/// What the context asks for, between its ranks. Throws PreconditionError for a root that is none.
Demand demand_of_ranks(const CollectiveContext& context);

/// Throws PreconditionError for more messages, or items, than kMostSends.
void require_sends_of_ranks(const CollectiveContext& context, const Claim& claim);

/// A maker of an algorithm between ranks. `claim` throws PreconditionError where it is not defined;
/// `cuts` is the number of blocks.
template <Claim (*claim)(const Demand&), Schedule (*schedule)(const Demand&),
          std::size_t (*cuts)(const Section&, const Demand&) = whole>
Collective make_on_ranks(const Section& workload, const CollectiveContext& context) {
  Demand demand = demand_of_ranks(context);
  demand.cuts = cuts(workload, demand);
  const Claim claimed = demand.nodes == 1 ? Claim{0, false, 0, 0, 0, 0} : claim(demand);
  require_sends_of_ranks(context, claimed);
  Discipline discipline{Switching::kAnyNetwork, 1};
  discipline.combining = true;
  return {demand, discipline, {demand.nodes == 1 ? Schedule{} : schedule(demand), claimed}};
}

/// The entry of an algorithm that is made so for all its operations.
CollectiveEntry rank_entry(const char* name, const char* summary, std::vector<Operation> operations,
                           CollectiveMaker make, Keys keys = {});

}  // namespace flitcast
