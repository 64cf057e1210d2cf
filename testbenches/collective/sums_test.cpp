// SPDX-License-Identifier: Apache-2.0
// The contributions of sums, and the memory that they take.
#include <set>
#include <string>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/rank_cases.h"
#include "collective/verification.h"
#include "support/test_catch.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Contributions = std::set<std::size_t>;

constexpr Discipline kFree{Switching::kAnyNetwork, 1000, false, true};

/// The rules of sums once more, with a set of numbers for every sum.
class Reference {
 public:
  explicit Reference(const Demand& demand) : demand_(demand) {
    for (std::size_t node = 0; node < demand.nodes; ++node) {
      for (std::size_t block = 0; block < demand.blocks(); ++block) {
        sums_.push_back(demand.keeps_own_apart() ? Contributions{} : Contributions{node});
      }
    }
  }

  void play(const Schedule& schedule, std::size_t round) {
    const std::vector<Contributions> before = sums_;
    std::size_t news = 0;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      bool is_new = false;
      for (const ChunkId item : schedule.items(m)) {
        Contributions sum = before[place(schedule.message(m).from, item)];
        if (demand_.keeps_own_apart()) sum.insert(index(schedule.message(m).from));
        is_new |= enter(schedule.message(m).to, item, sum, round);
      }
      news += is_new;
    }
    new_per_round.push_back(news);
  }

  void end() {
    for (std::size_t node = 0; node < demand_.nodes; ++node) {
      const ChunkRange wanted = demand_.wanted(NodeId(node));
      const ChunkRange summed = demand_.summed(NodeId(node));
      const auto has = [&](std::size_t chunk) {
        const ChunkId sum = partial_sum(chunk / demand_.nodes);
        return sums_[place(NodeId(node), sum)].count(chunk % demand_.nodes) != 0;
      };
      const std::string name = "node " + std::to_string(node);
      for (std::size_t c = wanted.begin; c < wanted.end; ++c) {
        if (!has(c)) texts.push_back(name + " lacks chunk " + std::to_string(c) + " at the end");
      }
      for (std::size_t c = summed.begin; c < summed.end; ++c) {
        if ((c >= wanted.begin && c < wanted.end) || !has(c)) continue;
        texts.push_back(name + " has in its sum chunk " + std::to_string(c) + " at the end");
      }
    }
  }

  std::vector<std::size_t> new_per_round;
  std::vector<std::string> texts;

 private:
  std::size_t place(NodeId node, ChunkId sum) const {
    return index(node) * demand_.blocks() + block_of(sum);
  }

  bool enter(NodeId to, ChunkId item, const Contributions& sum, std::size_t round) {
    Contributions& own = sums_[place(to, item)];
    const bool is_new = !std::includes(own.begin(), own.end(), sum.begin(), sum.end());
    const bool shares = any_of(sum, [&](std::size_t one) { return own.count(one) != 0; });
    if (!is_result(item) && !demand_.is_union() && shares) {
      texts.push_back("round " + std::to_string(round + 1) + ": node " + std::to_string(index(to)) +
                      " adds a sum that shares contributions with its own");
    }
    if (is_result(item)) own.clear();
    own.insert(sum.begin(), sum.end());
    return is_new;
  }

  const Demand& demand_;
  std::vector<Contributions> sums_;
};

Schedule random_sums(const Demand& demand, std::size_t rounds, Random& random) {
  Schedule schedule;
  for (std::size_t round = 0; round < rounds; ++round) {
    schedule.begin_round();
    for (std::size_t m = 0; m < demand.nodes / 2; ++m) {
      const std::size_t from = random.below(demand.nodes);
      const std::size_t to = (from + 1 + random.below(demand.nodes - 1)) % demand.nodes;
      std::vector<ChunkId> items;
      for (std::size_t i = 0; i <= random.below(3); ++i) {
        const std::size_t block = random.below(demand.blocks());
        items.push_back(random.below(5) == 0 ? result_of(block) : partial_sum(block));
      }
      schedule.add(NodeId(from), NodeId(to), items);
    }
  }
  return schedule;
}

Verification verified(const std::string& algorithm, Operation operation, std::size_t p) {
  return verified(RankCase{algorithm, operation}.on(p));
}

}  // namespace

TEST_CASE("sums of random schedules have the contributions that sets of numbers have",
          "[collective]") {
  const Operation operation =
      GENERATE(Operation::kReduce, Operation::kAllReduce, Operation::kScan, Operation::kBarrier,
               Operation::kReduceScatter, Operation::kExclusiveScan);
  const std::size_t nodes = GENERATE(std::size_t{2}, 5U, 9U, 70U);
  Random random(nodes);
  for (std::size_t trial = 0; trial < 40; ++trial) {
    Demand demand{operation, nodes, NodeId{1}};
    if (operation == Operation::kAllReduce) demand.cuts = 1 + trial % 3;
    const Schedule schedule = random_sums(demand, trial % 8, random);
    Reference reference(demand);
    for (std::size_t round = 0; round < schedule.rounds(); ++round) reference.play(schedule, round);
    reference.end();
    const Verification verification = verify(Complete(nodes), schedule, demand, kFree);
    CHECK(verification.new_per_round == reference.new_per_round);
    CHECK(verification.faults == reference.texts.size());
    const std::size_t shown =
        std::min<std::size_t>(reference.texts.size(), Verification::kMostViolations);
    reference.texts.resize(shown);
    CHECK(mapped(verification.violations, &Violation::text) == reference.texts);
  }
}

TEST_CASE("sums that are ranges of ranks take no memory beyond their own", "[collective]") {
  for (const std::size_t p : {2U, 7U, 64U, 100U}) {
    INFO(p << " ranks");
    CHECK(verified("ring", Operation::kAllReduce, p).stored == 0);
    CHECK(verified("ring", Operation::kReduceScatter, p).stored == 0);
    CHECK(verified("recursive_doubling", Operation::kAllReduce, p).stored == 0);
    CHECK(verified("binomial", Operation::kAllReduce, p).stored == 0);
  }
}

TEST_CASE("sums of halved vectors share one set for every residue", "[collective]") {
  // After k rounds, a number has the sums of all numbers that agree with it modulo p / 2^k: of
  // p / 2^k residues the set is stored, but for k = 0 and for the last round, where all is one
  // range.
  for (const std::size_t p : {8U, 64U, 128U}) {
    INFO(p << " ranks");
    CHECK(verified("rabenseifner", Operation::kAllReduce, p).stored == p - 2);
    CHECK(verified("recursive_halving", Operation::kReduceScatter, p).stored == p - 2);
  }
}
