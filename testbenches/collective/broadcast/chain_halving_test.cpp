// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/cost.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/dimension_order.h"

using namespace flitcast;

namespace {

Verification run(const Grid& grid, std::uint32_t source) {
  const NodeId node{source};
  return verify_broadcast(grid, node, chain_halving_broadcast(grid, node), 1);
}

void run_from_everywhere(const Grid& grid) {
  for (std::uint32_t source = 0; source < grid.node_count(); ++source) {
    CHECK(run(grid, source).rounds == ceil_log(2, grid.node_count()));
  }
}

}  // namespace

TEST_CASE("chain halving takes the rounds and paths of the specification", "[collective]") {
  struct Row {
    Grid grid;
    std::uint32_t source;
    Numbers fresh;
    Numbers longest;
  };
  const Row rows[] = {
      {mesh({8}), 0, {1, 2, 4}, {4, 2, 1}},
      {mesh({7}), 3, {1, 2, 3}, {1, 2, 1}},
      {mesh({4, 8}), 13, {1, 2, 4, 8, 16}, {4, 5, 4, 2, 1}},
      {mesh({5, 5}), 12, {1, 2, 4, 8, 9}, {1, 2, 3, 4, 5}},
  };
  for (const Row& row : rows) {
    const Verification verification = run(row.grid, row.source);
    INFO(row.grid.name());
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == row.grid.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("chain halving meets the lower bound from every node of small meshes", "[collective]") {
  for (std::size_t x = 1; x <= 6; ++x) {
    for (std::size_t y = 1; y <= 6; ++y) run_from_everywhere(mesh({x, y}));
  }
  for (std::size_t x = 1; x <= 3; ++x) {
    for (std::size_t y = 1; y <= 3; ++y) run_from_everywhere(mesh({x, y, 4}));
  }
  for (std::size_t size = 1; size <= 33; ++size) run_from_everywhere(mesh({size}));
}

TEST_CASE("chain halving meets the lower bound in larger meshes", "[collective]") {
  const Grid plane = mesh({13, 21});
  for (std::uint32_t source = 0; source < plane.node_count(); source += 8) run(plane, source);
  const Grid space = mesh({5, 7, 6});
  for (std::uint32_t source = 0; source < space.node_count(); source += 7) run(space, source);
}

TEST_CASE("the lower half of an odd chain is the larger", "[collective]") {
  const Schedule schedule = chain_halving_broadcast(mesh({3}), NodeId{0}).schedule;
  CHECK(schedule.message(0).to == NodeId{2});
  CHECK(schedule.message(1).to == NodeId{1});
}

TEST_CASE("routers by XY take every message of chain halving as planned", "[collective]") {
  for (const Grid& grid : {mesh({7, 5}), mesh({4, 3, 5})}) {
    const DimensionOrder routing(grid, {});
    const Schedule schedule = chain_halving_broadcast(grid, NodeId{11}).schedule;
    CHECK(sends_as_routed(grid, routing, schedule) == schedule.size());
  }
}

TEST_CASE("chain halving refuses grids that wrap, and names the mesh of their size",
          "[collective]") {
  for (const Grid& grid : {torus({4, 6}), Grid("grid", {{4, false}, {6, true}})}) {
    const PreconditionError error =
        refusal([&grid] { return chain_halving_broadcast(grid, NodeId{0}); });
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.reason() == "chain halving is defined on meshes only, not on " + grid.name());
    CHECK(error.hint() == "use mesh 4x6, or recursive doubling");
  }
  CHECK(run(ring(1), 0).rounds == 0);  // A ring of one node has no link that wraps.
}

TEST_CASE("chain halving refuses a source that the mesh does not have", "[collective]") {
  const PreconditionError error = refusal([] {
    return chain_halving_broadcast(mesh({3, 4}), NodeId{12});
  });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 11");
}
