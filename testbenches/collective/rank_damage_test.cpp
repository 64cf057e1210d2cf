// SPDX-License-Identifier: Apache-2.0
// What the checker finds in messages that carry several items, or sums of several blocks.
#include <algorithm>
#include <functional>

#include "collective/rank_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

struct Sent {
  std::size_t round;
  NodeId from, to;
  std::vector<ChunkId> items;
};

using Sends = std::vector<Sent>;

Sends sends_of(const Schedule& schedule) {
  Sends sends;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const Items items = schedule.items(m);
      sends.push_back(
          {round, schedule.message(m).from, schedule.message(m).to, {items.begin(), items.end()}});
    }
  }
  return sends;
}

Schedule schedule_of_sends(const Sends& sends) {
  Schedule schedule;
  for (std::size_t s = 0; s < sends.size(); ++s) {
    if (s == 0 || sends[s].round != sends[s - 1].round) schedule.begin_round();
    schedule.add(sends[s].from, sends[s].to, sends[s].items);
  }
  return schedule;
}

bool finds(const Verification& verification, Fault fault) {
  return std::any_of(verification.violations.begin(), verification.violations.end(),
                     [&](const Violation& violation) { return violation.fault == fault; });
}

/// True if verify() reports the fault after `spoil` has changed the sends on 8 ranks.
bool is_found(const RankCase& what, Fault fault, const std::function<void(Sends&)>& spoil) {
  const Collective made = what.on(8);
  Sends sends = sends_of(made.plan.schedule);
  spoil(sends);
  return finds(verified(made, schedule_of_sends(sends)), fault);
}

const RankCase kRing{"ring", Operation::kAllReduce};
const RankCase kHalving{"recursive_halving", Operation::kReduceScatter};
const RankCase kBruck{"bruck", Operation::kAllToAllScatter};

}  // namespace

TEST_CASE("an item that is left out is missed, and changes the blocks", "[collective]") {
  for (const RankCase& one : rank_cases()) {
    const Collective made = one.on(8);
    if (made.demand.is_union()) continue;
    Sends sends = sends_of(made.plan.schedule);
    Sent& last = sends.back();
    last.items.pop_back();
    if (last.items.empty()) sends.pop_back();
    const Verification verification = verified(made, schedule_of_sends(sends));
    INFO(one.name());
    CHECK(finds(verification, Fault::kTotalBlocks));
    const bool told_twice = one.algorithm == "scatter_all_gather";
    CHECK(finds(verification, Fault::kUnserved) != told_twice);
  }
}

TEST_CASE("a block that goes to the wrong place is reported", "[collective]") {
  CHECK(is_found(kRing, Fault::kUnserved,
                 [](Sends& sends) { std::swap(sends[0].items, sends[1].items); }));
  CHECK(is_found(kHalving, Fault::kUnserved,
                 [](Sends& sends) { std::swap(sends[0].items[0], sends[4].items[0]); }));
  CHECK(is_found(kBruck, Fault::kSenderLacksChunk,
                 [](Sends& sends) { std::swap(sends[8].items[0], sends[9].items[0]); }));
}

TEST_CASE("a block that is added twice is reported, and so are blocks that there are none of",
          "[collective]") {
  CHECK(is_found(kHalving, Fault::kCountedTwice,
                 [](Sends& sends) { sends.back().items.push_back(sends.back().items.front()); }));
  CHECK(is_found(kHalving, Fault::kSerialBlocks,
                 [](Sends& sends) { sends.front().items.push_back(partial_sum(0)); }));
  CHECK(is_found(kHalving, Fault::kNoSuchChunk,
                 [](Sends& sends) { sends.back().items = {partial_sum(8)}; }));
}

TEST_CASE("an exclusive scan in which a rank gets its own contribution is reported",
          "[collective]") {
  const Collective made = RankCase{"hillis_steele", Operation::kExclusiveScan}.on(4);
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{1}, NodeId{0}, kPartialSum);
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{1}, kPartialSum);
  CHECK(finds(verified(made, schedule), Fault::kExcess));
}

TEST_CASE("several chunks in a message are reported where each has to travel alone",
          "[collective]") {
  Collective made = RankCase{"binomial", Operation::kScatter}.on(8);
  made.discipline.combining = false;
  CHECK(finds(verified(made), Fault::kManyItems));
}
