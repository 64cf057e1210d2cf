// SPDX-License-Identifier: Apache-2.0
// Algorithms in which ranks that differ in one bit exchange what they have.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// Divides p ranks into 2^f kept ranks, f as large as possible, and others, each of which is folded
/// into the kept rank before it.
struct Fold {
  explicit Fold(std::size_t p)
      : doublings(floor_log2(p)), kept(std::size_t{1} << doublings), others(p - kept) {}

  /// The rank of kept number a; p for a = 2^f. A rank between two kept ranks is folded into the
  /// first of them.
  std::size_t rank_of(std::size_t a) const { return a < others ? 2 * a : a + others; }
  std::size_t ranks() const { return kept + others; }
  /// The sum over k < f of the most ranks that 2^k consecutive kept numbers can stand for, with the
  /// ranks that are folded into them.
  std::size_t longest_halves() const {
    std::size_t sum = 0;
    for (std::size_t half = 1; half < kept; half *= 2) sum += half + std::min(half, others);
    return sum;
  }
  /// The claim of `times` sequences of exchanges, with rounds to fold and to unfold.
  Claim claim(std::size_t times, std::size_t serial_blocks, std::size_t total_blocks) const {
    return {times * doublings + (others > 0 ? 2 : 0),
            false,
            times * kept * doublings + 2 * others,
            0,
            serial_blocks,
            total_blocks};
  }

  std::size_t doublings;
  std::size_t kept;
  std::size_t others;
};

using ItemsOfBlocks = ChunkId (*)(std::size_t);

std::vector<ChunkId> items_of(ItemsOfBlocks item, std::size_t begin, std::size_t end) {
  return mapped(numbers(begin, end), [&](std::size_t b) { return item(b); });
}

/// Adds a round in which the odd ranks below 2 * others send items(odd rank) to the even ranks
/// before them, or receive these items back from them.
template <class MakeItems>
void add_fold(Schedule& schedule, const Fold& fold, bool back, MakeItems&& items) {
  if (fold.others == 0) return;
  schedule.begin_phase(back ? "unfold" : "fold");
  schedule.begin_round();
  for (std::size_t even = 0; even < 2 * fold.others; even += 2) {
    schedule.add(rank(back ? even : even + 1), rank(back ? even + 1 : even), items(even + 1));
  }
}

/// Returns the same items for every rank.
auto always(std::vector<ChunkId> items) {
  return [items = std::move(items)](std::size_t) { return items; };
}

/// Adds a round in which number a sends items(a, 2^k) to number a XOR 2^k.
template <class MakeItems>
void add_exchange(Schedule& schedule, const Fold& fold, std::size_t k, MakeItems&& items) {
  const std::size_t half = std::size_t{1} << k;
  schedule.begin_round();
  for (std::size_t a = 0; a < fold.kept; ++a) {
    schedule.add(rank(fold.rank_of(a)), rank(fold.rank_of(a ^ half)), items(a, half));
  }
}

/// Adds a reduce-scatter, after which number a has blocks first(a) .. first(a + 1) - 1: for falling
/// k, each number sends to its partner the half of its blocks that belongs to the partner's side.
template <class First>
void add_halving(Schedule& schedule, const Fold& fold, First&& first) {
  schedule.begin_phase("reduce-scatter");
  for (std::size_t k = fold.doublings; k-- > 0;) {
    add_exchange(schedule, fold, k, [&](std::size_t a, std::size_t half) {
      const std::size_t theirs = (a ^ half) / half * half;
      return items_of(partial_sum, first(theirs), first(theirs + half));
    });
  }
}

/// Adds an all-gather of items first(a) .. first(a + 1) - 1 of every number a: the contiguous items
/// that a number has double in every round.
template <class First>
void add_doubling(Schedule& schedule, const Fold& fold, ItemsOfBlocks item, First&& first) {
  schedule.begin_phase("all-gather");
  for (std::size_t k = 0; k < fold.doublings; ++k) {
    add_exchange(schedule, fold, k, [&](std::size_t a, std::size_t half) {
      const std::size_t own = a / half * half;
      return items_of(item, first(own), first(own + half));
    });
  }
}

Schedule doubling_sums(const Demand& demand) {
  const Fold fold(demand.nodes);
  Schedule schedule;
  add_fold(schedule, fold, false, always({kPartialSum}));
  schedule.begin_phase("exchange");
  for (std::size_t k = 0; k < fold.doublings; ++k) {
    add_exchange(schedule, fold, k,
                 [](std::size_t, std::size_t) { return std::vector<ChunkId>{kPartialSum}; });
  }
  add_fold(schedule, fold, true, always({kResult}));
  return schedule;
}

/// All chunks except the chunk of one rank.
std::vector<ChunkId> all_but(std::size_t p, std::size_t one) {
  std::vector<ChunkId> chunks = items_of(chunk, 0, p);
  chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(one));
  return chunks;
}

Schedule doubling_schedule(const Demand& demand) {
  if (demand.operation == Operation::kAllReduce) return doubling_sums(demand);
  const Fold fold(demand.nodes);
  Schedule schedule;
  add_fold(schedule, fold, false, [](std::size_t odd) { return items_of(chunk, odd, odd + 1); });
  add_doubling(schedule, fold, chunk, [&](std::size_t a) { return fold.rank_of(a); });
  add_fold(schedule, fold, true, [&](std::size_t odd) { return all_but(fold.ranks(), odd); });
  return schedule;
}

/// With f = floor(log2 p), r = p - 2^f folded ranks, and L = sum of 2^k + min(2^k, r) over k < f,
/// which is p - 1 where p is a power of two. Where it is not, the folded ranks first send their
/// data, and finally receive the missing data:
///
///   operation   rounds              serial blocks       total blocks
///   all-gather  f, 2 more if r > 0  L, p more if r > 0  p (2^f - 1) + r p
///   all-reduce  f, 2 more if r > 0  as many             f 2^f + 2 r
///
/// The all-reduce takes the fewest rounds where p is a power of two; sums combine contiguous ranges
/// of ranks, lower ranks left.
/// Source: R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of collective communication
/// operations in MPICH", International Journal of High Performance Computing Applications 19
/// (2005).
Claim doubling_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const Fold fold(p);
  Claim claim = fold.claim(1, fold.longest_halves() + (fold.others > 0 ? p : 0),
                           p * (fold.kept - 1) + fold.others * p);
  if (demand.operation != Operation::kAllReduce) return claim;
  claim.serial_blocks = claim.rounds;
  claim.total_blocks = claim.transmissions;
  return claim;
}

Schedule halving_schedule(const Demand& demand) {
  const Fold fold(demand.nodes);
  Schedule schedule;
  add_fold(schedule, fold, false, always(items_of(partial_sum, 0, fold.ranks())));
  add_halving(schedule, fold, [&](std::size_t a) { return fold.rank_of(a); });
  add_fold(schedule, fold, true, [](std::size_t odd) { return items_of(result_of, odd, odd + 1); });
  return schedule;
}

/// With f, r and L of recursive doubling: f rounds, L blocks one after another, p (2^f - 1) in all.
/// Where p is no power of two there are 2 rounds more, of p blocks and of one, r times as many in
/// all; where it is, all three numbers are minimal. The operator must be commutative. Source: the
/// same as for recursive doubling.
Claim halving_claim(const Demand& demand) {
  const std::size_t p = demand.nodes;
  const Fold fold(p);
  return fold.claim(1, fold.longest_halves() + (fold.others > 0 ? p + 1 : 0),
                    p * (fold.kept - 1) + fold.others * (p + 1));
}

Schedule rabenseifner_schedule(const Demand& demand) {
  const Fold fold(demand.nodes);
  const auto block = [](std::size_t a) { return a; };
  Schedule schedule;
  add_fold(schedule, fold, false, always(items_of(partial_sum, 0, fold.kept)));
  add_halving(schedule, fold, block);
  add_doubling(schedule, fold, result_of, block);
  add_fold(schedule, fold, true, always(items_of(result_of, 0, fold.kept)));
  return schedule;
}

/// Recursive halving, then doubling, of 2^f blocks between 2^f ranks, f = floor(log2 p): 2 f
/// rounds, 2 (2^f - 1) blocks one after another, 2^f times as many in all. Where p is no power of
/// two the folded ranks first send their vectors and finally receive the result: 2 rounds of 2^f
/// blocks each, and (p - 2^f) times as many in all. The operator must be commutative. Source: R.
/// Rabenseifner, "Optimization of collective reduction operations", International Conference on
/// Computational Science (2004).
Claim rabenseifner_claim(const Demand& demand) {
  const Fold fold(demand.nodes);
  const std::size_t folded = fold.others > 0 ? 2 : 0;
  const std::size_t blocks = 2 * (fold.kept - 1);
  return fold.claim(2, blocks + folded * fold.kept,
                    fold.kept * blocks + 2 * fold.others * fold.kept);
}

std::size_t rabenseifner_cuts(const Section&, const Demand& demand) {
  return rabenseifner_blocks(demand.nodes);
}

}  // namespace

RankAlgorithm doubling_algorithm() { return {doubling_claim, doubling_schedule}; }
RankAlgorithm halving_algorithm() { return {halving_claim, halving_schedule}; }
RankAlgorithm rabenseifner_algorithm() { return {rabenseifner_claim, rabenseifner_schedule}; }
std::size_t rabenseifner_blocks(std::size_t ranks) { return Fold(ranks).kept; }

Collective make_recursive_doubling(const Section& workload, const CollectiveContext& context) {
  return make_on_ranks<doubling_claim, doubling_schedule>(workload, context);
}

std::vector<CollectiveEntry> halving_collectives() {
  return {rank_entry("recursive_halving",
                     "Any network: halve the blocks in hand with a rank after another.",
                     {Operation::kReduceScatter}, make_on_ranks<halving_claim, halving_schedule>),
          rank_entry("rabenseifner", "Any network: recursive halving, then doubling, of blocks.",
                     {Operation::kAllReduce},
                     make_on_ranks<rabenseifner_claim, rabenseifner_schedule, rabenseifner_cuts>)};
}

}  // namespace flitcast
