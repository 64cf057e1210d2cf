// SPDX-License-Identifier: Apache-2.0
// Positions of the routers in drawings of the families.
#include "support/test_catch.h"
#include "topology/clos.h"
#include "topology/fat_tree.h"
#include "topology/grid.h"
#include "topology/topology.h"

using namespace flitcast;

namespace {

void check_place(const Layout& layout, std::size_t router, double x, double y) {
  INFO("router " << router);
  CHECK(layout[router].x == x);
  CHECK(layout[router].y == y);
}

}  // namespace

TEST_CASE("routers of a mesh stand at their coordinates, further dimensions beside and below",
          "[topology]") {
  const Layout mesh = flitcast::mesh({3, 2}).layout();
  check_place(mesh, 2, 2, 0);
  check_place(mesh, 4, 1, 1);
  const Layout solid = flitcast::mesh({3, 2, 2, 2}).layout();
  check_place(solid, 6, 3.5, 0);   // Dimension 2: the plane to the right, half a step apart.
  check_place(solid, 12, 0, 2.5);  // Dimension 3: the planes below.
  check_place(solid, 23, 5.5, 3.5);
}

TEST_CASE("a ring of four is a square on its corner", "[topology]") {
  const Layout layout = ring(4).layout();
  check_place(layout, 0, 0.707, 0);
  check_place(layout, 1, 1.414, 0.707);
  check_place(layout, 2, 0.707, 1.414);
  check_place(layout, 3, 0, 0.707);
}

TEST_CASE("the stages of a Clos network are columns, and middle networks stand between",
          "[topology]") {
  const Layout layout = Clos({{2, 3}}, 4).layout();  // 4 input, 3 middle, 4 output switches.
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(layout[i].x == 0);
    CHECK(layout[i].x < layout[4].x);
    CHECK(layout[7 + i].x == 2 * layout[4].x);
    CHECK(layout[i].y == layout[7 + i].y);
  }
  const Layout nested = Clos({{2, 3}, {2, 3}}, 2).layout();
  CHECK(nested[4].x == nested[4 + 7].x);  // Input switches of the first two middle networks.
  CHECK(nested[4].x < nested[4 + 2].x);   // It lies left of its own middle switches.
}

TEST_CASE("the leaves of a fat tree are the lowest row", "[topology]") {
  const FatTree tree("tree", {{2, 2}, {2, 0}});
  const Layout layout = tree.layout();
  REQUIRE(layout.size() == 4);
  CHECK(layout[0].y == layout[1].y);
  CHECK(layout[2].y == 0);
  CHECK(layout[0].y > layout[2].y);
}
