// SPDX-License-Identifier: Apache-2.0
// Algorithms between ranks against the table of the specification, and what their messages carry.
#include <sstream>

#include "collective/cost.h"
#include "collective/rank_cases.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Op = Operation;

/// Rounds, serial blocks and total blocks.
struct RankCost {
  std::size_t rounds, serial, total;
};

std::size_t lg(std::size_t p) { return ceil_log(2, p); }
bool is_two_to_the_n(std::size_t p) { return (p & (p - 1)) == 0; }

/// The sum of popcount(i) over i < p, computed term by term.
std::size_t bits_below(std::size_t p) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < p; ++i) bits += static_cast<std::size_t>(__builtin_popcountll(i));
  return bits;
}

std::size_t scan_messages(std::size_t p) {
  std::size_t messages = 0;
  for (std::size_t step = 1; step < p; step *= 2) messages += p - step;
  return messages;
}

RankCost doubling_all_reduce(std::size_t p) {
  std::size_t f = 0;
  while (std::size_t{2} << f <= p) ++f;
  const std::size_t kept = std::size_t{1} << f;
  const std::size_t rounds = f + (p == kept ? 0 : 2);
  return {rounds, rounds, kept * f + 2 * (p - kept)};
}

/// The number of ranks in the largest half of the folded ranks, where a half has 2^k kept numbers.
std::size_t largest_half(std::size_t p, std::size_t half) {
  std::size_t kept = 1;
  while (2 * kept <= p) kept *= 2;
  return half + std::min(half, p - kept);
}

RankCost halving_reduce_scatter(std::size_t p) {
  RankCost cost = doubling_all_reduce(p);
  const std::size_t r = is_two_to_the_n(p) ? 0 : p - (std::size_t{1} << (lg(p) - 1));
  cost.serial = r == 0 ? 0 : p + 1;
  cost.total = r * (p + 1);
  for (std::size_t half = 1; 2 * half <= p; half *= 2) {
    cost.serial += largest_half(p, half);
    cost.total += p * half;
  }
  return cost;
}

RankCost doubling_all_gather(std::size_t p) {
  RankCost cost = halving_reduce_scatter(p);
  const std::size_t r = is_two_to_the_n(p) ? 0 : p - (std::size_t{1} << (lg(p) - 1));
  return {cost.rounds, cost.serial - (r == 0 ? 0 : 1), cost.total - r};
}

/// An all-reduce of p / 4 full groups: two rounds of halving, Rabenseifner's algorithm between the
/// peers in each of four places with a quarter of the data each, two rounds of doubling.
RankCost groups_of_four(std::size_t p) {
  const std::size_t q = p / 4;
  std::size_t f = 0;
  while (std::size_t{2} << f <= q) ++f;
  const std::size_t kept = std::size_t{1} << f, others = q - kept;
  const std::size_t folds = others > 0 ? 2 : 0;
  return {2 * 2 + 2 * f + folds, 2 * 3 * kept + 2 * (kept - 1) + folds * kept,
          2 * p * 3 * kept + 4 * (2 * kept * (kept - 1) + 2 * others * kept)};
}

/// The rounds that a block takes down a binary tree; the deepest rank is served last at every
/// level.
std::size_t tree_depth(std::size_t p) {
  if (p <= 2) return p - 1;
  return std::max(2 + tree_depth(p / 2), 1 + tree_depth(p - 1 - p / 2));
}

struct TableRow {
  RankCase what;
  RankCost (*cost)(std::size_t p);
  bool only_powers = false;
};

const std::vector<TableRow>& table() {
  using S = std::size_t;
  static const auto ring = [](S p) { return RankCost{p - 1, p - 1, p * (p - 1)}; };
  static const auto logarithmic = [](S p) { return RankCost{lg(p), p - 1, p * (p - 1)}; };
  static const std::vector<TableRow> rows{
      {{"binomial", Op::kBroadcast},
       [](S p) {
         return RankCost{lg(p), lg(p), p - 1};
       }},
      {{"binomial", Op::kReduce},
       [](S p) {
         return RankCost{lg(p), lg(p), p - 1};
       }},
      {{"binomial", Op::kScatter},
       [](S p) {
         return RankCost{lg(p), p - 1, bits_below(p)};
       }},
      {{"binomial", Op::kGather},
       [](S p) {
         return RankCost{lg(p), p - 1, bits_below(p)};
       }},
      {{"binomial", Op::kBarrier},
       [](S p) {
         return RankCost{2 * lg(p), 2 * lg(p), 2 * (p - 1)};
       }},
      {{"hillis_steele", Op::kScan},
       [](S p) {
         return RankCost{lg(p), lg(p), scan_messages(p)};
       }},
      {{"hillis_steele", Op::kExclusiveScan},
       [](S p) {
         return RankCost{lg(p), lg(p), scan_messages(p)};
       }},
      {{"ring", Op::kGossip}, ring},
      {{"recursive_doubling", Op::kGossip}, doubling_all_gather},
      {{"bruck", Op::kGossip}, logarithmic},
      {{"shift_exchange", Op::kAllToAllScatter}, ring},
      {{"pairwise_exchange", Op::kAllToAllScatter}, ring, true},
      {{"bruck", Op::kAllToAllScatter},
       [](S p) {
         return RankCost{lg(p), bits_below(p), p * bits_below(p)};
       }},
      {{"dissemination", Op::kBarrier},
       [](S p) {
         return RankCost{lg(p), lg(p), p * lg(p)};
       }},
      {{"ring", Op::kReduceScatter}, ring},
      {{"recursive_halving", Op::kReduceScatter}, halving_reduce_scatter},
      {{"ring", Op::kAllReduce},
       [](S p) {
         return RankCost{2 * (p - 1), 2 * (p - 1), 2 * p * (p - 1)};
       }},
      {{"recursive_doubling", Op::kAllReduce}, doubling_all_reduce},
      {{"scatter_all_gather", Op::kBroadcast},
       [](S p) {
         return RankCost{lg(p) + p - 1, 2 * (p - 1), bits_below(p) + p * (p - 1)};
       }},
      {{"pipelined_chain", Op::kBroadcast, {{"segments", 5}}},
       [](S p) {
         return RankCost{p - 2 + 5, p - 2 + 5, (p - 1) * 5};
       }},
      {{"pipelined_tree", Op::kReduce, {{"segments", 5}}},
       [](S p) {
         const S rounds = p == 2 ? 5 : 2 * 4 + tree_depth(p);
         return RankCost{rounds, rounds, (p - 1) * 5};
       }},
      {{"hierarchical", Op::kAllReduce, {{"group", 4}}},
       [](S p) {
         if (p % 4 == 0) return groups_of_four(p);
         const RankCost leaders = doubling_all_reduce((p + 3) / 4);
         const S rounds = 2 * lg(std::min<S>(p, 4)) + leaders.rounds;
         return RankCost{rounds, rounds, 2 * (p - (p + 3) / 4) + leaders.total};
       }},
      {{"grid_ring", Op::kAllReduce, {{"row", 1}}},
       [](S p) {
         return RankCost{2 * (p - 1), 2 * (p - 1), 2 * p * (p - 1)};
       }},
      {{"swing", Op::kReduceScatter}, logarithmic, true},
      {{"swing", Op::kGossip}, logarithmic, true},
      {{"swing", Op::kAllReduce},
       [](S p) {
         return RankCost{2 * lg(p), 2 * (p - 1), 2 * p * (p - 1)};
       },
       true},
  };
  return rows;
}

std::string dump_of(const RankCase& what, std::size_t p, std::size_t root = 0) {
  std::ostringstream text;
  write_dump(text, Complete(p), what.on(p, root).plan.schedule, Switching::kAnyNetwork);
  return text.str();
}

}  // namespace

TEST_CASE("algorithms between ranks cost what the specification's table says", "[collective]") {
  for (const TableRow& row : table()) {
    for (std::size_t p = 2; p <= 64; p += p < 33 ? 1 : 31) {
      INFO(row.what.name() << " on " << p);
      const std::optional<Collective> made = row.what.if_defined(p);
      REQUIRE(made.has_value() == (!row.only_powers || is_two_to_the_n(p)));
      if (!made) continue;
      const Verification verification = verified(*made);
      const RankCost cost = row.cost(p);
      CHECK(verification.rounds == cost.rounds);
      CHECK(verification.serial_blocks == cost.serial);
      CHECK(verification.total_blocks == cost.total);
    }
  }
}

TEST_CASE(
    "Rabenseifner's all-reduce costs 2 lg p rounds and 2 (p - 1) blocks, and a fold elsewhere",
    "[collective]") {
  const RankCase all_reduce{"rabenseifner", Op::kAllReduce};
  for (const std::size_t p : {2, 8, 64}) {
    const Verification verification = verified(all_reduce.on(p));
    CHECK(verification.rounds == 2 * lg(p));
    CHECK(verification.serial_blocks == 2 * (p - 1));
    CHECK(verification.total_blocks == 2 * p * (p - 1));
  }
  const Verification folded =
      // Four ranks exchange four blocks, and two more ranks are folded into them.
      verified(all_reduce.on(6));
  CHECK(folded.rounds == 4 + 2);
  CHECK(folded.serial_blocks == 2 * 3 + 2 * 4);
  CHECK(folded.total_blocks == 4 * 2 * 3 + 2 * 2 * 4);
}

TEST_CASE("every algorithm between ranks is legal and as claimed, from every root",
          "[collective]") {
  std::size_t defined = 0;
  for (const RankCase& one : rank_cases()) {
    for (std::size_t p = 1; p <= 33; ++p) {
      for (const std::size_t root : {std::size_t{0}, p / 3, p - 1}) {
        const std::optional<Collective> made = one.if_defined(p, root);
        if (!made) continue;
        ++defined;
        const Verification verification = verified(*made);
        INFO(one.name() << " on " << p << " from " << root);
        INFO((verification.legal() ? "legal" : verification.violations.front().text));
        CHECK(verification.legal());
        CHECK((p > 1 || made->plan.schedule.size() == 0));
        const Complete network(p);
        CHECK(verification.rounds >= lower_bound(network, made->demand, made->discipline).rounds);
      }
    }
  }
  // Five of 51 pairs are defined only on 1, 2, 4, .. 32 ranks.
  CHECK(defined == 3 * (46 * 33 + 5 * 6));
}

TEST_CASE("the messages of small plans between ranks are those of the algorithms", "[collective]") {
  CHECK(dump_of({"binomial", Op::kScatter}, 5) == "1 0 4 4\n2 0 2,3 2\n3 0 1 1\n3 2 3 3\n");
  CHECK(dump_of({"binomial", Op::kGather}, 4, 1) == "1 2 2 1\n1 0 0 3\n2 3 3,0 1\n");
  CHECK(dump_of({"ring", Op::kReduceScatter}, 3) ==
        "1 0 partial:2 1\n1 1 partial 2\n1 2 partial:1 0\n"
        "2 0 partial:1 1\n2 1 partial:2 2\n2 2 partial 0\n");
  CHECK(dump_of({"rabenseifner", Op::kAllReduce}, 3) ==
        "1 1 partial,partial:1 0\n2 0 partial:1 2\n2 2 partial 0\n"
        "3 0 result 2\n3 2 result:1 0\n4 0 result,result:1 1\n");
  CHECK(dump_of({"bruck", Op::kGossip}, 3) ==
        "1 0 0 2\n1 1 1 0\n1 2 2 1\n2 0 0 1\n2 1 1 2\n2 2 2 0\n");
  CHECK(dump_of({"bruck", Op::kAllToAllScatter}, 3) ==
        "1 0 3 1\n1 1 7 2\n1 2 2 0\n2 0 6 2\n2 1 1 0\n2 2 5 1\n");
  CHECK(dump_of({"pipelined_chain", Op::kBroadcast, {{"segments", 2}}}, 3, 1) ==
        "1 1 0 2\n2 1 1 2\n2 2 0 0\n3 2 1 0\n");
  CHECK(dump_of({"recursive_halving", Op::kReduceScatter}, 3) ==
        "1 1 partial,partial:1,partial:2 0\n2 0 partial:2 2\n2 2 partial,partial:1 0\n"
        "3 0 result:1 1\n");
  CHECK(dump_of({"recursive_doubling", Op::kGossip}, 3) ==
        "1 1 1 0\n2 0 0,1 2\n2 2 2 0\n3 0 0,2 1\n");
  CHECK(dump_of({"pipelined_tree", Op::kBroadcast, {{"segments", 2}}}, 4) ==
        "1 0 0 3\n2 0 0 1\n3 0 1 3\n3 1 0 2\n4 0 1 1\n5 1 1 2\n");
  CHECK(dump_of({"pipelined_tree", Op::kReduce, {{"segments", 1}}}, 4) ==
        "1 2 partial 1\n2 1 partial 0\n3 3 partial 0\n");
  for (const Op operation : {Op::kBroadcast, Op::kReduce}) {
    CHECK(dump_of({"hierarchical", operation, {{"group", 1}}}, 5) ==
          dump_of({"hierarchical", operation, {{"group", 5}}}, 5));
  }
  CHECK(dump_of({"hierarchical", Op::kBroadcast, {{"group", 2}}}, 5) ==
        "1 0 0 4\n2 0 0 2\n3 0 0 1\n3 2 0 3\n");
  CHECK(dump_of({"grid_ring", Op::kReduceScatter, {{"row", 2}}}, 4) ==
        "1 0 partial:1,partial:3 1\n1 1 partial,partial:2 0\n"
        "1 2 partial:1,partial:3 3\n1 3 partial,partial:2 2\n"
        "2 0 partial:2 2\n2 1 partial:3 3\n2 2 partial 0\n2 3 partial:1 1\n");
}

// With S blocks, half of them along each tree, the last rank receives its last block of both trees
// in time.
TEST_CASE("two trees keep nearly all ranks busy: S + 2 lg p rounds where one tree takes 2 S",
          "[collective]") {
  for (const std::size_t p : {2, 5, 16, 33, 64, 100}) {
    const RankCase broadcast{"two_trees", Op::kBroadcast, {{"segments", 64}}};
    const Verification verification = verified(broadcast.on(p, p / 2));
    INFO(p << " ranks");
    CHECK(verification.legal());
    CHECK(verification.rounds <= 64 + 2 * lg(p) - 2);
    CHECK(verification.transmissions == 64 * (p - 1));
    const RankCase one_tree{"pipelined_tree", Op::kBroadcast, {{"segments", 64}}};
    if (p > 2) CHECK(verified(one_tree.on(p)).rounds >= 2 * 63 + lg(p));
  }
}

TEST_CASE("the length of a segment gives the number of blocks", "[collective]") {
  const RankCase chain{
      "pipelined_chain", Op::kBroadcast, {{"segments", 8}, {"segment", 7}, {"length", 64}}};
  CHECK(chain.on(4).demand.cuts == 10);  // Nine blocks of 7 flits would cover only 63 flits.
}

TEST_CASE("sizes that an algorithm is not defined on are refused with those that are",
          "[collective]") {
  const PreconditionError error = refusal([] {
    RankCase{"pairwise_exchange", Op::kGossip}.on(12);
  });
  CHECK(error.reason() == "pairwise exchange is defined on 2^k nodes only, not on 12");
  CHECK(error.hint() == "use 8 or 16 nodes, or algorithm: shift_exchange");
  const PreconditionError rows = refusal([] {
    RankCase{"grid_ring", Op::kGossip, {{"row", 5}}}.on(12);
  });
  CHECK(rows.reason() == "12 ranks do not fill rows of 5");
  CHECK(rows.hint() == "use a row of 1, 2, 3, 4, 6 or 12");
  CHECK(refusal([] {
          RankCase{"binomial", Op::kReduce}.on(4, 4);
        }).subject() == PreconditionError::Subject::kSource);
}

TEST_CASE("ranks may be fewer than the nodes of the network", "[collective]") {
  const Complete network(9);
  CollectiveContext context{network, NodeId{4}};
  context.operation = Op::kReduce;
  context.ranks = 5;
  const Collective made =
      collectives().find("binomial")->make(Section::of("workload", {}), context);
  CHECK(made.demand.nodes == 5);
  CHECK(verify(network, made.plan.schedule, made.demand, made.discipline, made.plan.claim).legal());
  context.source = NodeId{5};
  CHECK_THROWS_AS(collectives().find("binomial")->make(Section::of("workload", {}), context),
                  PreconditionError);
}

TEST_CASE("blocks are as even as possible, and messages as long as their items", "[collective]") {
  const Collective ring = RankCase{"ring", Op::kAllReduce}.on(5);
  const auto length = [&](std::size_t block, std::uint32_t whole) {
    return item_length(ring.demand, partial_sum(block), whole);
  };
  CHECK((length(0, 13) == 2 && length(1, 13) == 3 && length(2, 13) == 2));
  CHECK((length(3, 13) == 3 && length(4, 13) == 3));
  const Collective halving = RankCase{"rabenseifner", Op::kAllReduce}.on(4);
  // The message carries blocks of 2 and 3 flits.
  CHECK(message_length(halving.demand, halving.plan.schedule.items(0), 13) == 3 + 4);
  CHECK(longest_message(halving.demand, halving.plan.schedule, 13) == 7);
  // A message has at least its head flit.
  CHECK(message_length(ring.demand, ring.plan.schedule.items(0), 2) == 1);
  const Collective barrier = RankCase{"dissemination", Op::kBarrier}.on(4);
  CHECK(message_length(barrier.demand, barrier.plan.schedule.items(0), 13) == 1);
  const Collective gather = RankCase{"binomial", Op::kGather}.on(4);
  CHECK(longest_message(gather.demand, gather.plan.schedule, 13) == 2 * 13);
}
