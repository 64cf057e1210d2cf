// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "collective/broadcast/builders.h"
#include "collective/cost.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Rounds until all strips are single places if every owner splits in every round.
std::size_t rounds_to_split(std::int64_t size, int parts_per_side) {
  std::vector<Strip> strips{centred_strip(0, size)};
  std::size_t rounds = 0;
  for (; static_cast<std::int64_t>(strips.size()) < size; ++rounds) {
    for (std::size_t i = 0, owners = strips.size(); i < owners; ++i) {
      for (const HandedStrip& part : split(strips[i], parts_per_side)) {
        strips.push_back(part.strip);
      }
    }
  }
  return rounds;
}

}  // namespace

TEST_CASE("the owner of a centred strip has at most one place more above than below",
          "[collective]") {
  for (std::int64_t size = 1; size < 20; ++size) {
    const Strip strip = centred_strip(-3, size);
    CHECK(strip.owner - strip.below == -3);
    CHECK(strip.size() == size);
    CHECK((strip.above - strip.below) == (size + 1) % 2);
  }
}

TEST_CASE("the parts of a strip cover it without overlap, the near ones inside", "[collective]") {
  for (const int parts_per_side : {1, 2}) {
    for (std::int64_t below = 0; below < 30; ++below) {
      for (std::int64_t above = 0; above < 30; ++above) {
        Strip middle{100, below, above};
        const std::vector<HandedStrip> parts = split(middle, parts_per_side);
        std::vector<int> covered(200);
        const auto cover = [&covered](const Strip& strip) {
          for (std::int64_t i = -strip.below; i <= strip.above; ++i) {
            ++covered[static_cast<std::size_t>(strip.owner + i)];
          }
        };
        cover(middle);
        for (const HandedStrip& part : parts) cover(part.strip);
        for (std::int64_t i = 0; i < 200; ++i) {
          const bool inside = i >= 100 - below && i <= 100 + above;
          REQUIRE(covered[static_cast<std::size_t>(i)] == (inside ? 1 : 0));
        }
        CHECK(middle.owner == 100);
        for (const HandedStrip& near : parts) {
          for (const HandedStrip& far : parts) {
            const bool same_side = (near.strip.owner > 100) == (far.strip.owner > 100);
            if (near.far || !far.far || !same_side) continue;
            CHECK(std::abs(near.strip.owner - 100) < std::abs(far.strip.owner - 100));
          }
        }
      }
    }
  }
}

TEST_CASE("three-way splitting takes log3 rounds, five-way log5", "[collective]") {
  for (std::int64_t size = 1; size <= 700; ++size) {
    INFO(size);
    CHECK(rounds_to_split(size, 1) == ceil_log(3, static_cast<std::size_t>(size)));
    CHECK(rounds_to_split(size, 2) == ceil_log(5, static_cast<std::size_t>(size)));
  }
}
