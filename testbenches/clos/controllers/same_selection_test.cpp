// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/controllers/controller_bench.h"
#include "clos/controllers/serve.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

std::string to_text(const Selection& selection) {
  std::string text = selection.blocked() ? "blocked" : "";
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    text += std::to_string(index(selection.middle(leg))) + ":" + to_hex(selection.served_set(leg)) +
            " ";
  }
  return text + "after " + std::to_string(selection.passes());
}

/// Theorem 1: a route exists if no member of I is in all available destination sets.
bool routable(const Situation& situation) {
  BitSet rest = situation.wanted;
  situation.available.for_each([&](std::size_t j) { rest &= situation.sets.set_of(j); });
  return rest.none();
}

/// Serves the situation in all designs and by strategy S1; returns the passes.
std::size_t check_all_designs(const Situation& situation) {
  const Structure structure{static_cast<std::uint32_t>(situation.m()), 1, 1, 1,
                            static_cast<std::uint32_t>(situation.r())};
  Selection expected(situation.r());
  find(strategies(), "S1")
      ->make({structure})
      ->select({situation.wanted, situation.available, situation.sets}, expected);
  if (expected.blocked() == routable(situation)) FAIL("S1 errs");
  for (const auto& entry : controllers()) {
    ControlUnit unit(entry.make, {situation.m(), situation.r()}, situation.store());
    Selection got(situation.r());
    const std::uint64_t clocks = serve(unit, {0, situation.wanted}, got);
    const std::uint64_t pass = entry.make.pass_clocks(situation.m(), situation.r());
    const std::uint64_t formula = expected.blocked() ? clocks_streamed(expected.passes(), pass)
                                                     : clocks_done(expected.passes(), pass);
    if (to_text(got) != to_text(expected) || clocks != formula) {
      INFO(entry.name << " takes " << clocks << ", by formula " << formula);
      CHECK(to_text(got) == to_text(expected));
      REQUIRE(clocks == formula);
    }
  }
  return expected.passes();
}

std::string hex(unsigned mask) { return to_hex(BitSet(3, std::vector<SetWord>{mask}.data())); }

}  // namespace

TEST_CASE("all designs select like S1 in the formula's clocks, m = r = 3 in full", "[clos]") {
  unsigned situations = 0;
  for (unsigned sets = 0; sets < 512; ++sets) {
    for (unsigned wanted = 1; wanted < 8; ++wanted) {
      for (unsigned available = 0; available < 8; ++available) {
        check_all_designs(situation(3, hex(wanted), hex(available),
                                    {hex(sets & 7U), hex(sets >> 3 & 7U), hex(sets >> 6)}));
        ++situations;
      }
    }
  }
  CHECK(situations == 512 * 7 * 8);
}

TEST_CASE("all designs select like S1 in the formula's clocks, for any size", "[clos]") {
  std::mt19937 random(3);
  std::size_t most_passes = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t m = 1 + random() % 20;
    const std::size_t r = 1 + random() % 20;
    most_passes = std::max(most_passes, check_all_designs(random_situation(m, r, random)));
  }
  CHECK(most_passes > 4);
}

TEST_CASE("all designs select like S1 beyond 64 middle and output switches", "[clos]") {
  std::mt19937 random(9);
  const std::size_t sizes[][2] = {{64, 64}, {65, 63}, {63, 65}, {100, 5}, {5, 130}, {130, 129}};
  std::size_t most_passes = 0;
  for (const auto& size : sizes) {
    for (int trial = 0; trial < 4; ++trial) {
      const Situation situation = random_situation(size[0], size[1], random);
      most_passes = std::max(most_passes, check_all_designs(situation));
    }
  }
  CHECK(most_passes > 4);
}
