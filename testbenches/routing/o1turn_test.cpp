// SPDX-License-Identifier: Apache-2.0
#include "routing/o1turn.h"

#include <stdexcept>

#include "routing/analysis/deadlock.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::uint8_t kDescending = 1 << 2;  // The bit on grids of two dimensions.

Route first_hop(const Routing& routing, std::uint32_t from, std::uint32_t to, std::uint8_t ties) {
  return routing.route({RouterId{from}, PortId{4}, VcId{0}, NodeId{to}, ties});
}

}  // namespace

TEST_CASE("the header chooses between XY and YX, each on virtual channels of its own",
          "[routing]") {
  const Grid grid = mesh({4, 4});
  const O1Turn routing(grid, VcClasses::kNone, 3);
  const Route xy = first_hop(routing, 0, 5, 0);
  CHECK(xy.output == Grid::plus(0));
  CHECK(xy.vcs == 0b011);
  const Route yx = first_hop(routing, 0, 5, kDescending);
  CHECK(yx.output == Grid::plus(1));
  CHECK(yx.vcs == 0b100);
}

TEST_CASE("at half way round a torus the other header bits choose the way", "[routing]") {
  const O1Turn routing(torus({4, 4}), VcClasses::kDateline, 4);
  CHECK(first_hop(routing, 0, 2, 0b001).output == Grid::minus(0));
  CHECK(first_hop(routing, 0, 2, 0b000).output == Grid::plus(0));
  CHECK(first_hop(routing, 0, 8, kDescending | 0b010).output == Grid::minus(1));
}

TEST_CASE("both orders together wait in no cycle", "[routing]") {
  const Grid grid = mesh({4, 3});
  CHECK(check_dependencies(grid, O1Turn(grid, VcClasses::kNone, 2), 2).acyclic());
  for (const VcClasses classes :
       {VcClasses::kDallySeitzFixed, VcClasses::kDallySeitz, VcClasses::kDateline}) {
    const Grid wrapped = torus({5, 4});
    CHECK(check_dependencies(wrapped, O1Turn(wrapped, classes, 4), 4).acyclic());
  }
}

TEST_CASE("a single virtual channel cannot carry both orders", "[routing]") {
  const Grid grid = mesh({4, 4});
  CHECK(!check_dependencies(grid, O1Turn(grid, VcClasses::kNone, 1), 1).acyclic());
  CHECK_THROWS_AS(O1Turn(mesh({2, 2, 2, 2, 2, 2, 2, 2}), VcClasses::kNone, 2),
                  std::invalid_argument);
}
