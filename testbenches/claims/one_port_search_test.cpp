// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/one_port_search.h"

#include <vector>

#include "collective/cost.h"
#include "collective/verification.h"
#include "sim/claims/trials.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// The fewest rounds from a node of a mesh; 0 if they are not known, or if the schedule is illegal.
std::size_t fewest_rounds(const Grid& mesh, std::size_t source) {
  const CollectiveContext context{mesh, to_id<NodeId>(source), 1};
  const claims::VerifiedCollective tree = claims::on_step_machine(context, "dimension_order");
  const auto& [demand, discipline, plan] = tree.collective;
  const auto found = claims::one_port_optimum(
      mesh, context.source, lower_bound(mesh, demand, discipline).rounds, plan.schedule);
  const Verification best = verify(mesh, found.best, demand, discipline);
  return best.legal() && found.is_known() ? best.rounds : 0;
}

}  // namespace

TEST_CASE("the search finds the fewest rounds that a SAT solver found", "[claims]") {
  CHECK(fewest_rounds(mesh({3, 3, 3}), 13) == 5);
  CHECK(fewest_rounds(mesh({5, 5, 5}), 62) == 8);
  CHECK(fewest_rounds(mesh({5, 5, 4}), 37) == 7);
  CHECK(fewest_rounds(mesh({3, 3, 8}), 31) == 7);
}

TEST_CASE("the search confirms trees that are optimal", "[claims]") {
  CHECK(fewest_rounds(mesh({9}), 4) == 5);
  CHECK(fewest_rounds(mesh({7, 5}), 17) == 7);
  CHECK(fewest_rounds(mesh({4, 4}), 0) == 6);
  CHECK(fewest_rounds(mesh({1}), 0) == 0);
}

TEST_CASE("farthest nodes alone may need more rounds than the bound", "[claims]") {
  const Grid cube = mesh({5, 5, 5});
  const claims::VerifiedCollective tree =
      claims::on_step_machine({cube, NodeId{62}, 1}, "dimension_order");
  CHECK(claims::one_port_optimum(cube, NodeId{62}, 7, tree.collective.plan.schedule).at_least == 8);
}
