// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "clos/controllers/controller_bench.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// The rule of pruning for one pass, as in the header: 1 for UPDATE, and for each set 1 or the bits
/// read.
std::uint64_t pruned_pass(const Situation& situation, const BitSet& unsatisfied) {
  std::uint64_t clocks = 1;
  std::size_t best = situation.r() + 1;
  for (std::size_t j = 0; j < situation.m(); ++j) {
    std::size_t bits = 0;
    std::size_t count = 0;
    do {
      count += situation.sets.test(j, bits) && unsatisfied.test(bits) ? 1 : 0;
      ++bits;
    } while (situation.available.test(j) && count < best && bits < situation.r());
    if (situation.available.test(j)) best = std::min(best, count);
    clocks += bits;
  }
  return clocks;
}

std::vector<std::string> beats_of(const ControllerDesign& design, const Situation& situation) {
  return texts(ControllerBench(design, {situation.m(), situation.r()}).run(situation));
}

}  // namespace

TEST_CASE("pruning changes the clocks of a request and not its beats", "[clos]") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Situation situation = random_situation(1 + random() % 9, 1 + random() % 9, random);
    ControllerBench bench(pruned_seq_counter(), {situation.m(), situation.r()});
    const auto taken = bench.run(situation);
    REQUIRE(texts(taken) == beats_of(find(controllers(), "seq_counter")->make, situation));
    BitSet unsatisfied = situation.wanted;
    std::uint64_t edge = 1;
    for (const auto& beat : taken) {
      const std::uint64_t clocks = pruned_pass(situation, unsatisfied);
      REQUIRE(clocks <= situation.m() * situation.r() + 1);
      REQUIRE(beat.edge == (edge += clocks));
      if (beat.beat != "fail") unsatisfied &= situation.sets.set_of(std::stoul(beat.beat));
    }
  }
}

TEST_CASE("pruning leaves a set with the bit that decides against it", "[clos]") {
  const auto first_edge = [](const Situation& situation) {
    return ControllerBench(pruned_seq_counter(), {situation.m(), situation.r()})
        .run(situation)
        .front()
        .edge;
  };
  // The clocks are those of LOAD, M_0, M_1 and UPDATE. Here middle switch 1 is not available.
  CHECK(first_edge(situation(4, "f", "1", {"0", "0"})) == 1 + 4 + 1 + 1);
  CHECK(first_edge(situation(4, "f", "3", {"0", "0"})) == 1 + 4 + 1 + 1);  // 0 is the best count.
  CHECK(first_edge(situation(4, "f", "3", {"4", "c"})) == 1 + 4 + 3 + 1);  // Bit 2 makes it 1.
  CHECK(first_edge(situation(4, "f", "3", {"c", "4"})) == 1 + 4 + 4 + 1);  // 1 is less than 2.
}

TEST_CASE("w rows per clock take ceil(m / w) + 1 clocks a pass for the same beats", "[clos]") {
  const auto check = [](std::size_t rows) {
    const ControllerDesign design = seq_adder_of(rows);
    std::mt19937 random(4);
    for (int trial = 0; trial < 500; ++trial) {
      const Situation situation = random_situation(1 + random() % 9, 1 + random() % 9, random);
      const auto taken = ControllerBench(design, {situation.m(), situation.r()}).run(situation);
      REQUIRE(texts(taken) == beats_of(find(controllers(), "seq_adder")->make, situation));
      const std::uint64_t pass = (situation.m() + rows - 1) / rows + 1;
      REQUIRE(design.pass_clocks(situation.m(), situation.r()) == pass);
      REQUIRE(taken.back().edge == 1 + taken.size() * pass);
    }
  };
  check(1);
  check(2);
  check(3);
  check(9);
  CHECK_THROWS_AS(seq_adder_of(0), std::invalid_argument);
}
