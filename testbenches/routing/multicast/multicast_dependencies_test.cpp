// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/deadlock.h"
#include "routing/multicast/hamiltonian_paths.h"
#include "routing/multicast/xy_multicast.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

bool free_of_cycles(const Grid& grid, const MulticastRouting& routing, std::size_t channels,
                    Copying copying) {
  const DependencyCheck check = check_multicasts(grid, routing, channels, copying);
  CHECK(check.channels > 0);
  CHECK(check.cyclic == !check.acyclic());
  return check.acyclic();
}

std::vector<Grid> some_meshes() { return {mesh({3, 3}), mesh({4, 4}), mesh({5, 2}), mesh({2, 5})}; }

}  // namespace

TEST_CASE("worms need a consumption channel for each direction, and two are enough", "[routing]") {
  for (const Grid& grid : some_meshes()) {
    INFO(grid.name());
    for (const auto split : {HamiltonianPaths::Split::kDual, HamiltonianPaths::Split::kMulti}) {
      const HamiltonianPaths one(grid, split, 1);
      const HamiltonianPaths shared(grid, split, 2, false);
      const HamiltonianPaths two(grid, split, 2);
      CHECK_FALSE(free_of_cycles(grid, one, 1, Copying::kLockStep));
      CHECK_FALSE(free_of_cycles(grid, shared, 2, Copying::kLockStep));
      CHECK(free_of_cycles(grid, two, 2, Copying::kLockStep));
    }
  }
}

TEST_CASE("worms in columns need a consumption channel upwards and one downwards", "[routing]") {
  for (const Grid& grid : {mesh({3, 3}), mesh({4, 4}), mesh({2, 5})}) {
    INFO(grid.name());
    CHECK_FALSE(free_of_cycles(grid, ColumnPath(grid, 1), 1, Copying::kLockStep));
    CHECK(free_of_cycles(grid, ColumnPath(grid, 2), 2, Copying::kLockStep));
  }
}

TEST_CASE("XY trees in lock step can deadlock, those of whole packets cannot", "[routing]") {
  for (const Grid& grid : some_meshes()) {
    INFO(grid.name());
    for (const std::size_t channels : {1, 2}) {
      const XyTree routing(grid, channels);
      CHECK_FALSE(free_of_cycles(grid, routing, channels, Copying::kLockStep));
      CHECK(free_of_cycles(grid, routing, channels, Copying::kWholePackets));
      CHECK(free_of_cycles(grid, routing, channels, Copying::kStored));
    }
  }
}

TEST_CASE("a cycle of consumption channels names them", "[routing]") {
  const Grid grid = mesh({4});
  const HamiltonianPaths routing(grid, HamiltonianPaths::Split::kDual, 1);
  const DependencyCheck check = check_multicasts(grid, routing, 1, Copying::kLockStep);
  REQUIRE_FALSE(check.acyclic());
  std::size_t consuming = 0;
  for (const VirtualChannel& channel : check.cycle) consuming += channel.from == channel.to;
  CHECK(consuming >= 2);
}
