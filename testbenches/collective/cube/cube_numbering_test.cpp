// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "collective/algorithms.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// The non-zero addresses of a cube in the order in which its optimal scatter serves them, from the
/// last round to the first: entry m leaves node 0 through port m mod n.
std::vector<std::uint32_t> cube_numbering(std::size_t n) {
  const Schedule schedule = cube_scatter(Hypercube(n), NodeId{0}).schedule;
  std::vector<std::uint32_t> numbering((std::size_t{1} << n) - 1);
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::size_t group = schedule.rounds() - 1 - round;
    for (std::size_t send = schedule.begin(round); send < schedule.end(round); ++send) {
      const Message& message = schedule.message(send);
      if (message.from != NodeId{0}) continue;
      numbering.at(group * n + index(schedule.path(send)[0])) = index(message.chunk);
    }
  }
  return numbering;
}

}  // namespace

TEST_CASE("the numbering of the 4-cube is the one of the specification", "[collective]") {
  // The classes are 0001, 0011, 0101, 0111 and 1111, in this order. For entry 4 bit 0 is due: the
  // class starts with the run 0011 itself. For entry 8 bit 0 is due: 0101, one of only two members.
  // For entry 10 bit 2 is due: the run 1101.
  const std::vector<std::uint32_t> expected{1,      2,      4,      8,      0b0011,
                                            0b0110, 0b1100, 0b1001, 0b0101, 0b1010,
                                            0b1101, 0b1011, 0b0111, 0b1110, 0b1111};
  CHECK(cube_numbering(4) == expected);
}

TEST_CASE("every non-zero address of a cube is numbered once, light ones first", "[collective]") {
  for (std::size_t n = 0; n <= 12; ++n) {
    const auto numbering = cube_numbering(n);
    CAPTURE(n);
    CHECK(numbering.size() == (std::size_t{1} << n) - 1);
    CHECK(std::set<std::uint32_t>(numbering.begin(), numbering.end()).size() == numbering.size());
    CHECK(std::is_sorted(numbering.begin(), numbering.end(), [](std::uint32_t a, std::uint32_t b) {
      return __builtin_popcount(a) < __builtin_popcount(b);
    }));
  }
}

TEST_CASE("a numbered address is one hop from an earlier group, through its own dimension",
          "[collective]") {
  for (std::size_t n = 1; n <= 12; ++n) {
    const auto numbering = cube_numbering(n);
    std::vector<std::size_t> group_of(std::size_t{1} << n);
    for (std::size_t m = 0; m < numbering.size(); ++m) group_of[numbering[m]] = 1 + m / n;
    std::size_t wrong = 0;  // Group 0 is the source.
    for (std::size_t m = 0; m < numbering.size(); ++m) {
      const std::uint32_t bit = std::uint32_t{1} << m % n;
      const bool set = (numbering[m] & bit) != 0;
      if (!set || group_of[numbering[m] ^ bit] >= group_of[numbering[m]]) ++wrong;
    }
    CAPTURE(n);
    CHECK(wrong == 0);
  }
}
