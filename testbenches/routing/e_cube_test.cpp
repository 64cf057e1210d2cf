// SPDX-License-Identifier: Apache-2.0
#include "routing/e_cube.h"

#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::vector<int> bits_corrected(ECube::Order order, std::uint32_t from, std::uint32_t to) {
  const Hypercube cube(5);
  std::vector<int> bits;
  const ECube routing(cube, order, 3);
  for (const Hop& hop : walk(cube, Adjacency(cube), routing, NodeId{from}, NodeId{to}).hops) {
    CHECK(hop.vcs == 0b111);
    bits.push_back(index(hop.output));
  }
  return bits;
}

}  // namespace

TEST_CASE("differing bits are corrected from the chosen end", "[routing]") {
  using Bits = std::vector<int>;
  CHECK(bits_corrected(ECube::Order::kMostSignificantFirst, 0b00110, 0b10011) == Bits{4, 2, 0});
  CHECK(bits_corrected(ECube::Order::kLeastSignificantFirst, 0b00110, 0b10011) == Bits{0, 2, 4});
  CHECK(bits_corrected(ECube::Order::kMostSignificantFirst, 7, 7).empty());
}
