// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/cost.h"

namespace flitcast {

// Common parts of the algorithms between ranks. On any network, a rank sends at most one message
// and receives at most one in a round; a message may carry several items. In operations with a
// root, ranks count from the root upwards (Demand::at_rank()). A single rank sends nothing.

inline NodeId rank(std::size_t number) { return to_id<NodeId>(number); }
inline ChunkId chunk(std::size_t number) { return to_id<ChunkId>(number); }

/// The largest k with 2^k <= p, for p >= 1.
std::size_t floor_log2(std::size_t p);

/// The sum of popcount(i) over i < p: the hops of p chunks from the root of a binomial tree.
std::size_t popcounts_below(std::size_t p);

/// Opens a round and calls add(t), for t = 0 .. rounds - 1.
template <class Add>
void for_rounds(Schedule& schedule, std::size_t rounds, Add&& add) {
  for (std::size_t t = 0; t < rounds; ++t) {
    schedule.begin_round();
    add(t);
  }
}

/// Opens a round and calls add(t, v) for every rank v = 0 .. p - 1, for t = 0 .. rounds - 1.
template <class Add>
void for_ranks(Schedule& schedule, std::size_t rounds, std::size_t p, Add&& add) {
  for_rounds(schedule, rounds, [&](std::size_t t) {
    for (std::size_t v = 0; v < p; ++v) add(t, v);
  });
}

/// The schedule of such rounds alone, to which add(schedule, t, v) adds the messages.
template <class Add>
Schedule rounds_of_ranks(std::size_t rounds, std::size_t p, Add&& add) {
  Schedule schedule;
  for_ranks(schedule, rounds, p, [&](std::size_t t, std::size_t v) { add(schedule, t, v); });
  return schedule;
}

/// Adds the rounds of another schedule, whose message m carries items(m) here, along path(m) if
/// that is given; `backwards`: the last round first, and from receivers to senders.
template <class MakeItems, class... MakePath>
void add_rounds(Schedule& schedule, const Schedule& other, bool backwards, MakeItems&& items,
                MakePath&&... path) {
  for_rounds(schedule, other.rounds(), [&](std::size_t t) {
    const std::size_t round = backwards ? other.rounds() - 1 - t : t;
    for (std::size_t m = other.begin(round); m < other.end(round); ++m) {
      const auto [from, to, chunk] = other.message(m);
      schedule.add(backwards ? to : from, backwards ? from : to, items(m), path(m)...);
    }
  });
}

/// Adds a scatter along the binomial tree: a rank receives the chunks chunk_of(r) of all ranks r in
/// its subtree.
template <class ChunkOf>
void add_binomial_scatter(Schedule& schedule, const Demand& demand, ChunkOf&& chunk_of) {
  const std::size_t p = demand.nodes;
  const std::size_t rounds = ceil_log(2, p);
  for_rounds(schedule, rounds, [&](std::size_t t) {
    const std::size_t step = std::size_t{1} << (rounds - 1 - t);
    for (std::size_t v = 0; v + step < p; v += 2 * step) {
      const std::vector<ChunkId> subtree = mapped(numbers(v + step, std::min(v + 2 * step, p)),
                                                  [&](std::size_t r) { return chunk_of(r); });
      schedule.add(demand.at_rank(v), demand.at_rank(v + step), subtree);
    }
  });
}

/// An algorithm between ranks: its claim and its schedule for an instance.
struct RankAlgorithm {
  Claim (*claim)(const Demand& demand);
  Schedule (*schedule)(const Demand& demand);
};

/// Messages follow the binomial tree of the ranks 0 .. demand.informed(). The steps of a broadcast
/// halve from round to round, so that long paths occur while messages are few, and paths in grids
/// stay apart; to a nonblocking network the order of the steps makes no difference.
RankAlgorithm binomial_algorithm();

/// In round t = 1 .. p - 1 every rank v sends its chunk, or the chunk for the receiver, to rank
/// v + t (mod p).
RankAlgorithm shift_algorithm();

/// 2^f of the ranks, f = floor(log2 p), are numbered; in round k each exchanges with the one whose
/// number differs in bit k. Odd ranks below 2 (p - 2^f) first send their data to the even rank
/// before them, and finally receive the missing data from it.
RankAlgorithm doubling_algorithm();

/// A reduce-scatter between ranks numbered as for doubling_algorithm(): the blocks in hand halve.
RankAlgorithm halving_algorithm();

/// Recursive halving, then doubling, of as many blocks of an all-reduce as ranks are numbered by
/// doubling_algorithm().
RankAlgorithm rabenseifner_algorithm();
std::size_t rabenseifner_blocks(std::size_t ranks);

/// Blocks go once round the ring of all ranks.
RankAlgorithm ring_algorithm();

/// In round k rank v sends the set of ranks that it knows to have arrived to rank v + 2^k (mod p).
RankAlgorithm dissemination_algorithm();

/// In round k rank v sends the sum of the ranks v - 2^k + 1 .. v to rank v + 2^k.
RankAlgorithm scan_algorithm();

/// The number of blocks, 1, of an algorithm that does not cut its data.
inline std::size_t whole(const Section&, const Demand&) { return 1; }

/// The number of blocks of an algorithm with a block for each rank.
inline std::size_t by_ranks(const Section&, const Demand& demand) { return demand.nodes; }

/// The number of blocks that the keys of segment_keys() select: `segments`, or the smallest number
/// for which no block is longer than `segment`.
std::size_t segments(const Section& workload, const Demand& demand);
Keys segment_keys();

/// The operation of the context between its ranks. Throws PreconditionError for a root that is not
/// a rank.
Demand demand_of_ranks(const CollectiveContext& context);

/// The precondition that the algorithm sends at most kMostSends messages and items.
Precondition few_enough_sends(const CollectiveContext& context, const Claim& claim);

/// The operation as schedule(demand), with messages of several items. Throws PreconditionError
/// beyond kMostSends, before it makes the schedule.
template <class MakeSchedule>
Collective on_ranks(const CollectiveContext& context, const Demand& demand, const Claim& claim,
                    MakeSchedule&& schedule) {
  require(few_enough_sends(context, claim));
  return {demand, {Switching::kAnyNetwork, 1, false, true}, {schedule(demand), claim}};
}

/// The maker of an algorithm between ranks. `claim` throws PreconditionError where the algorithm is
/// not defined; `cuts` returns the number of blocks.
template <Claim (*claim)(const Demand&), Schedule (*schedule)(const Demand&),
          std::size_t (*cuts)(const Section&, const Demand&) = whole>
Collective make_on_ranks(const Section& workload, const CollectiveContext& context) {
  Demand demand = demand_of_ranks(context);
  demand.cuts = cuts(workload, demand);
  if (demand.nodes > 1) return on_ranks(context, demand, claim(demand), schedule);
  return on_ranks(context, demand, {0, false, 0, 0, 0, 0},
                  [](const Demand&) { return Schedule(); });
}

/// The catalog entry of an algorithm that works on ranks in all its operations.
CollectiveEntry rank_entry(const char* name, const char* summary, std::vector<Operation> operations,
                           CollectiveMaker make, Keys keys = {});

}  // namespace flitcast
