// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/e_cube.h"

using namespace flitcast;

TEST_CASE("the double tree takes the rounds and paths of the specification", "[collective]") {
  struct Row {
    std::size_t dimension;
    std::uint32_t source;
    Numbers fresh;
    Numbers longest;
  };
  const Row rows[] = {
      {0, 0, {}, {}},
      {1, 0, {1}, {1}},
      {2, 0, {2, 1}, {2, 1}},
      {3, 5, {3, 4}, {3, 1}},
      {4, 0, {4, 11}, {4, 1}},
      {5, 0, {5, 16, 10}, {5, 1, 1}},
      {6, 0, {6, 22, 35}, {6, 1, 1}},
      {7, 0, {7, 29, 56, 35}, {7, 1, 1, 1}},
      {8, 77, {8, 37, 84, 126}, {8, 1, 1, 1}},
  };
  for (const Row& row : rows) {
    const Hypercube cube(row.dimension);
    INFO(cube.name());
    const NodeId source{row.source};
    const Verification verification =
        verify_broadcast(cube, source, double_tree_broadcast(cube, source));
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == cube.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("the double tree is legal from every source of a small cube", "[collective]") {
  for (std::size_t n = 0; n <= 7; ++n) {
    const Hypercube cube(n);
    for (std::uint32_t source = 0; source < cube.node_count(); ++source) {
      verify_broadcast(cube, NodeId{source}, double_tree_broadcast(cube, NodeId{source}));
    }
  }
}

TEST_CASE("the double tree takes half the dimension in rounds, rounded up", "[collective]") {
  for (std::size_t n = 3; n <= 12; ++n) {
    const Hypercube cube(n);
    const NodeId source{static_cast<std::uint32_t>(cube.node_count() / 3)};
    CHECK(verify_broadcast(cube, source, double_tree_broadcast(cube, source)).rounds ==
          (n + 1) / 2);
  }
}

TEST_CASE("routers by e-cube take every message of the double tree as planned", "[collective]") {
  const Hypercube cube(9);
  const ECube routing(cube, ECube::Order::kMostSignificantFirst, 1);
  const Schedule schedule = double_tree_broadcast(cube, NodeId{300}).schedule;
  CHECK(sends_as_routed(cube, routing, schedule) == schedule.size());
}

TEST_CASE("the double tree refuses a source that the cube does not have", "[collective]") {
  const PreconditionError error =
      refusal([] { return double_tree_broadcast(Hypercube(3), NodeId{8}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 7");
}
