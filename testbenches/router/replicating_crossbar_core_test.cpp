// SPDX-License-Identifier: Apache-2.0
#include "router/replicating_crossbar_core.h"

#include <algorithm>
#include <random>
#include <vector>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

BitSet set_of(std::size_t size, const std::vector<std::uint32_t>& members) {
  BitSet set(size);
  for (const std::uint32_t member : members) set.set(member);
  return set;
}

/// Flits that wait at the inputs, and the copies that have left.
struct Bench {
  Bench(std::uint32_t inputs, std::uint32_t outputs, bool synchronous)
      : core(inputs, outputs, synchronous), wanted(inputs, BitSet(outputs)), copies(outputs) {}

  /// Runs one cycle; returns the inputs whose flit has left and removes these flits.
  std::vector<std::uint32_t> cycle(const BitSet& empty) {
    core.plan(wanted, empty);
    core.commit();
    for (std::uint32_t output = 0; output < core.outputs(); ++output) {
      const std::uint32_t input = core.driver(output);
      if (input != ReplicatingCrossbarCore::kNone) copies[output].push_back(input);
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t input = 0; input < core.inputs(); ++input) {
      if (!core.leaves(input)) continue;
      wanted[input].clear();
      left.push_back(input);
    }
    return left;
  }
  std::vector<std::uint32_t> cycle() { return cycle(BitSet::full(core.outputs())); }

  ReplicatingCrossbarCore core;
  std::vector<BitSet> wanted;
  // Per output: the inputs from which its copies came.
  std::vector<std::vector<std::uint32_t>> copies;
};

using Ports = std::vector<std::uint32_t>;

BitSet random_set(std::mt19937& random, std::size_t size) {
  BitSet set(size);
  while (set.none()) {
    for (std::size_t member = 0; member < size; ++member) {
      if (random() % 3 == 0) set.set(member);
    }
  }
  return set;
}

}  // namespace

TEST_CASE("asynchronous copies leave by each output as soon as it is empty", "[router]") {
  Bench bench(2, 3, false);
  bench.wanted[0] = set_of(3, {0, 2});
  CHECK(bench.cycle(set_of(3, {0, 1})).empty());
  CHECK(bench.copies[0] == Ports{0});
  CHECK(bench.cycle(set_of(3, {0, 1})).empty());
  CHECK(bench.copies[0] == Ports{0});  // There is no second copy.
  CHECK(bench.cycle() == Ports{0});
  CHECK(bench.copies[2] == Ports{0});
}

TEST_CASE("synchronous copies leave together or not at all", "[router]") {
  Bench bench(2, 3, true);
  bench.wanted[0] = set_of(3, {0, 2});
  CHECK(bench.cycle(set_of(3, {0, 1})).empty());
  CHECK(bench.copies[0].empty());
  CHECK(bench.cycle() == Ports{0});
  CHECK(bench.copies[0] == Ports{0});
  CHECK(bench.copies[2] == Ports{0});
}

TEST_CASE("synchronous flits for other outputs overtake the one that waits", "[router]") {
  Bench bench(3, 3, true);
  bench.wanted = {set_of(3, {0, 1}), set_of(3, {1}), set_of(3, {2})};
  CHECK(bench.cycle(set_of(3, {1, 2})) == Ports{2});  // Output 1 is reserved for input 0.
  CHECK(bench.cycle() == Ports{0});
  CHECK(bench.cycle() == Ports{1});
}

TEST_CASE("no flit waits longer than there are inputs while all outputs are empty", "[router]") {
  const bool synchronous = GENERATE(false, true);
  Bench bench(4, 5, synchronous);
  std::mt19937 random(3);
  std::vector<unsigned> waited(4, 0);
  unsigned longest = 0;
  for (int c = 0; c < 5000; ++c) {
    for (BitSet& wanted : bench.wanted) {
      if (wanted.none() && random() % 8 != 0) wanted = random_set(random, 5);
    }
    for (std::uint32_t i = 0; i < 4; ++i) waited[i] = bench.wanted[i].none() ? 0 : waited[i] + 1;
    longest = std::max(longest, *std::max_element(waited.begin(), waited.end()));
    for (const std::uint32_t input : bench.cycle()) waited[input] = 0;
  }
  CHECK(longest == 4);  // The bound is reached.
}

TEST_CASE("every copy leaves once, by its output, whatever the outputs do", "[router]") {
  const bool synchronous = GENERATE(false, true);
  Bench bench(3, 4, synchronous);
  std::mt19937 random(4);
  std::vector<std::vector<unsigned>> due(3, std::vector<unsigned>(4, 0));
  unsigned flits = 0;
  for (int c = 0; c < 5000; ++c) {
    for (std::uint32_t input = 0; input < 3; ++input) {
      if (bench.wanted[input].any() || c >= 4900) continue;
      bench.wanted[input] = random_set(random, 4);
      bench.wanted[input].for_each([&](std::size_t output) { ++due[input][output]; });
    }
    BitSet empty(4);
    for (std::size_t output = 0; output < 4; ++output) {
      if (c >= 4900 || random() % 2 == 0) empty.set(output);
    }
    flits += static_cast<unsigned>(bench.cycle(empty).size());
  }
  CHECK(flits > 1000);
  for (std::uint32_t input = 0; input < 3; ++input) {
    for (std::uint32_t output = 0; output < 4; ++output) {
      const auto& seen = bench.copies[output];
      CHECK(std::count(seen.begin(), seen.end(), input) == due[input][output]);
    }
  }
}

TEST_CASE("a flit that disappears after a copy of it has left stops the run", "[router]") {
  Bench bench(1, 2, false);
  bench.wanted[0] = set_of(2, {0, 1});
  bench.cycle(set_of(2, {0}));
  bench.wanted[0].clear();
  CHECK_THROWS_AS(bench.cycle(), InvariantError);
}
