// SPDX-License-Identifier: Apache-2.0
#include "router/crossbar_core.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Copy = std::pair<std::uint32_t, std::uint32_t>;

struct Copies {
  void forward(std::uint32_t input, std::uint32_t output) { seen.emplace_back(input, output); }
  std::vector<Copy> seen;
};

/// The copies that one clock makes of flits at these inputs, by ascending input and output.
std::vector<Copy> copies_of(const CrossbarCore& core, const std::vector<std::uint32_t>& inputs) {
  BitSet valid(core.inputs());
  for (const std::uint32_t input : inputs) valid.set(input);
  Copies copies;
  core.tick(valid.words(), copies);
  std::sort(copies.seen.begin(), copies.seen.end());
  return copies.seen;
}

}  // namespace

TEST_CASE("a flit is copied to all outputs that its input drives, in one clock", "[router]") {
  CrossbarCore core(3, 5);
  core.connect(1, 4);
  core.connect(1, 0);
  core.connect(2, 3);
  CHECK(copies_of(core, {1}) == std::vector<Copy>{{1, 0}, {1, 4}});
  CHECK(copies_of(core, {1, 2}) == std::vector<Copy>{{1, 0}, {1, 4}, {2, 3}});
  CHECK(copies_of(core, {}).empty());
}

TEST_CASE("a released output gets no copy and can be driven anew", "[router]") {
  CrossbarCore core(2, 4);
  for (const std::uint32_t output : {0U, 1U, 2U, 3U}) core.connect(0, output);
  core.release(GENERATE(0U, 3U));  // These are first and last in the list.
  core.release(1);                 // This one is in the middle of the list.
  CHECK(copies_of(core, {0}).size() == 2);
  core.connect(1, 1);
  CHECK(core.driver(1) == 1);
  CHECK(copies_of(core, {1}) == std::vector<Copy>{{1, 1}});
}

TEST_CASE("no output ever has two drivers", "[router]") {
  CrossbarCore core(2, 2);
  core.connect(0, 1);
  CHECK_THROWS_AS(core.connect(1, 1), InvariantError);
  CHECK_THROWS_AS(core.connect(0, 1), InvariantError);
  CHECK(core.driver(1) == 0);
  CHECK(copies_of(core, {0}) == std::vector<Copy>{{0, 1}});
}

TEST_CASE("a flit that would be lost stops the run", "[router]") {
  CrossbarCore core(2, 2);
  core.connect(0, 0);
  CHECK_THROWS_AS(copies_of(core, {1}), InvariantError);
  core.release(0);
  CHECK_THROWS_AS(copies_of(core, {0}), InvariantError);
}

TEST_CASE("ports that a crossbar does not have, and idle outputs to release, are errors",
          "[router]") {
  CrossbarCore core(1, 2);
  CHECK_THROWS_AS(core.connect(1, 0), InvariantError);
  CHECK_THROWS_AS(core.connect(0, 2), InvariantError);
  CHECK_THROWS_AS(core.release(2), InvariantError);
  CHECK_THROWS_AS(core.release(0), InvariantError);
}

// The reference is the simplest crossbar: a driver per output, tested one by one.
TEST_CASE("random connections copy like a table of drivers, beyond 64 ports, too", "[router]") {
  const auto inputs = GENERATE(1U, 5U, 64U, 65U, 130U);
  const std::uint32_t outputs = 2 * inputs + 3;
  CrossbarCore core(inputs, outputs);
  std::vector<std::uint32_t> drivers(outputs, CrossbarCore::kNone);
  Random random(inputs);
  for (int step = 0; step < 1000; ++step) {
    const auto output = static_cast<std::uint32_t>(random.below(outputs));
    if (drivers[output] == CrossbarCore::kNone) {
      drivers[output] = static_cast<std::uint32_t>(random.below(inputs));
      core.connect(drivers[output], output);
    } else {
      drivers[output] = CrossbarCore::kNone;
      core.release(output);
    }
    std::vector<std::uint32_t> valid;
    std::vector<Copy> expected;
    for (std::uint32_t input = 0; input < inputs; ++input) {
      const bool drives = std::count(drivers.begin(), drivers.end(), input) > 0;
      REQUIRE(core.drives(input) == drives);
      if (!drives || random.below(2) == 0) continue;
      valid.push_back(input);
      for (std::uint32_t o = 0; o < outputs; ++o) {
        if (drivers[o] == input) expected.emplace_back(input, o);
      }
    }
    REQUIRE(copies_of(core, valid) == expected);
  }
}
