// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/e_cube.h"

using namespace flitcast;

TEST_CASE("Ho-Kao takes the rounds and paths of the specification", "[collective]") {
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
      {7, 0, {7, 32, 88}, {7, 4, 1}},
      {8, 77, {8, 37, 84, 126}, {8, 1, 1, 1}},
  };
  for (const Row& row : rows) {
    const Hypercube cube(row.dimension);
    INFO(cube.name());
    const NodeId source{row.source};
    const Verification verification =
        verify_broadcast(cube, source, ho_kao_broadcast(cube, source));
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == cube.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("Ho-Kao's rounds are those of the specification up to 20 dimensions", "[collective]") {
  const Numbers rounds = {3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7};  // The list starts at n = 7.
  const auto claimed = [](Plan (*broadcast)(const Hypercube&, NodeId), std::size_t n) {
    return broadcast(Hypercube(n), NodeId{0}).claim.rounds;
  };
  for (std::size_t n = 0; n < 7; ++n) {
    CHECK(claimed(ho_kao_broadcast, n) == claimed(double_tree_broadcast, n));
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    CHECK(claimed(ho_kao_broadcast, 7 + i) == rounds[i]);
  }
}

TEST_CASE("Ho-Kao is legal from every source of a small cube", "[collective]") {
  for (std::size_t n = 0; n <= 8; ++n) {
    const Hypercube cube(n);
    for (std::uint32_t source = 0; source < cube.node_count(); ++source) {
      verify_broadcast(cube, NodeId{source}, ho_kao_broadcast(cube, NodeId{source}));
    }
  }
}

TEST_CASE("Ho-Kao keeps its promise where it partitions more than once", "[collective]") {
  for (const std::size_t n : {9U, 10U, 11U, 12U, 14U}) {
    const Hypercube cube(n);
    for (const std::size_t place : {0U, 1U, 2U}) {
      const NodeId source{static_cast<std::uint32_t>(place * (cube.node_count() - 1) / 3)};
      verify_broadcast(cube, source, ho_kao_broadcast(cube, source));
    }
  }
}

TEST_CASE("routers by e-cube take every message of Ho-Kao as planned", "[collective]") {
  const Hypercube cube(11);
  const ECube routing(cube, ECube::Order::kMostSignificantFirst, 1);
  const Schedule schedule = ho_kao_broadcast(cube, NodeId{1300}).schedule;
  CHECK(sends_as_routed(cube, routing, schedule) == schedule.size());
}

TEST_CASE("Ho-Kao refuses a source that the cube does not have", "[collective]") {
  const PreconditionError error = refusal([] { return ho_kao_broadcast(Hypercube(0), NodeId{1}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 0");
}
