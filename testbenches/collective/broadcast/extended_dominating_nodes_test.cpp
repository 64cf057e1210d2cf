// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/extended_dominating_nodes.h"

#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/dimension_order.h"

using namespace flitcast;

namespace {

Verification verified(const Grid& grid, std::size_t source) {
  const NodeId node{static_cast<std::uint32_t>(source)};
  const Plan plan = extended_dominating_nodes_broadcast(grid, node);
  CHECK_FALSE(plan.claim.at_most);
  return verify_broadcast(grid, node, plan);
}

}  // namespace

TEST_CASE("extended dominating nodes take the rounds of the specification", "[collective]") {
  struct Row {
    std::size_t size, source;
    Numbers fresh, longest;
  };
  const Row rows[] = {
      {4, 0, {2, 2, 11}, {4, 3, 1}},
      {4, 6, {3, 1, 11}, {3, 2, 1}},
      {16, 0, {1, 3, 12, 48, 191}, {17, 8, 8, 4, 1}},
      {16, 105, {3, 1, 12, 48, 191}, {10, 4, 8, 4, 1}},
      {64, 351, {2, 6, 8, 48, 192, 767, 3072}, {77, 61, 63, 32, 8, 4, 1}},
  };
  for (const Row& row : rows) {
    const Grid grid = mesh({row.size, row.size});
    INFO(grid.name() << " from " << row.source);
    const Verification verification = verified(grid, row.source);
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == grid.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("extended dominating nodes are legal from every node of 4x4 and 16x16", "[collective]") {
  for (const std::size_t size : {4U, 16U}) {
    const Grid grid = mesh({size, size});
    for (std::size_t source = 0; source < grid.node_count(); ++source) verified(grid, source);
  }
}

TEST_CASE("extended dominating nodes are legal from all kinds of nodes of 64x64", "[collective]") {
  const Grid grid = mesh({64, 64});
  // The sources are the corners; nodes left of all columns of the start, in its outer columns, and
  // between them; and nodes in rows of the start and next to them, where the helper's messages are
  // closest to others.
  for (const std::size_t x : {0U, 5U, 6U, 9U, 30U, 58U, 60U, 63U}) {
    for (const std::size_t y : {0U, 6U, 7U, 55U, 56U, 63U}) verified(grid, x + 64 * y);
  }
}

TEST_CASE("routers by XY take every message of the dominating nodes as planned", "[collective]") {
  const Grid grid = mesh({16, 16});
  DimensionOrder::Params params;
  params.classes = VcClasses::kNone;
  const Schedule schedule = extended_dominating_nodes_broadcast(grid, NodeId{37}).schedule;
  CHECK(sends_as_routed(grid, DimensionOrder(grid, params), schedule) == 255);
}

TEST_CASE("extended dominating nodes refuse all but three meshes", "[collective]") {
  for (const Grid& grid :
       {mesh({1, 1}), mesh({4}), mesh({4, 4, 4}), mesh({4, 16}), mesh({5, 5}), mesh({8, 8}),
        mesh({256, 256}), torus({4, 4}), Grid("grid", {{16, true}, {16, false}})}) {
    const PreconditionError error =
        refusal([&grid] { return extended_dominating_nodes_broadcast(grid, NodeId{0}); });
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.reason().find(grid.name()) != std::string::npos);
    CHECK(error.hint() == "use mesh 4x4, mesh 16x16 or mesh 64x64");
  }
}

TEST_CASE("extended dominating nodes refuse a source that the mesh does not have", "[collective]") {
  const PreconditionError error = refusal([] {
    return extended_dominating_nodes_broadcast(mesh({4, 4}), NodeId{16});
  });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 15");
}
