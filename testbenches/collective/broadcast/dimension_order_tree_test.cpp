// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"

using namespace flitcast;

namespace {

constexpr DimensionOrderTree kAllPort{};
constexpr DimensionOrderTree kFarthest{1, DirectionRule::kFarthest, true};
constexpr DimensionOrderTree kSeed{1, DirectionRule::kSeed, true};
constexpr DimensionOrderTree kNaive{kAllPorts, DirectionRule::kFarthest, false};

Verification broadcast(const Grid& grid, std::uint32_t source, const DimensionOrderTree& tree) {
  const NodeId node{source};
  return verify_hops(grid, node, dimension_order_broadcast(grid, node, tree), tree.ports);
}

void check_fresh(const Grid& grid, std::uint32_t source, const DimensionOrderTree& tree,
                 const Numbers& fresh) {
  INFO(grid.name() << " from " << source);
  check_cost(broadcast(grid, source, tree), {fresh.size(), grid.node_count() - 1, 0, fresh});
}

// Returns meshes, tori and, for several dimensions, mixtures with either dimension wrapped.
std::vector<Grid> grids_of(const std::vector<std::size_t>& sizes) {
  std::vector<Grid> grids{mesh(sizes), torus(sizes)};
  for (const bool even_wraps : {true, false}) {
    std::vector<GridDimension> dimensions;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      dimensions.push_back({sizes[d], (d % 2 == 0) == even_wraps});
    }
    if (sizes.size() > 1) grids.emplace_back("mixture", dimensions);
  }
  return grids;
}

std::vector<Grid> small_grids() {
  std::vector<Grid> grids;
  const auto add = [&grids](const std::vector<std::size_t>& sizes) {
    for (const Grid& grid : grids_of(sizes)) grids.push_back(grid);
  };
  for (std::size_t z = 1; z <= 6; ++z) add({z});
  for (std::size_t n = 0; n < 36; ++n) add({n % 6 + 1, n / 6 + 1});
  for (std::size_t n = 0; n < 64; ++n) add({n % 4 + 1, n / 4 % 4 + 1, n / 16 + 1});
  add({2, 3, 2, 3});
  return grids;
}

}  // namespace

// P17 to P40, here and below, are cases of the specification's table of costs.
TEST_CASE("dimension-order trees of meshes cost what the specification says", "[collective]") {
  const Grid box = mesh({3, 3, 4});
  check_fresh(box, 0, kAllPort, {3, 6, 8, 8, 6, 3, 1});      // P17
  check_fresh(box, 0, kFarthest, {1, 2, 4, 7, 9, 8, 4});     // P18
  check_fresh(box, 0, kSeed, {1, 2, 4, 7, 9, 8, 4});         // P19
  check_fresh(mesh({3, 3}), 4, kAllPort, {4, 4});            // P20
  check_fresh(mesh({3, 3}), 4, kFarthest, {1, 2, 3, 2});     // P21
  check_fresh(mesh({3, 3}), 4, kSeed, {1, 2, 3, 2});         // P22
  check_fresh(mesh({5, 4}), 7, kAllPort, {4, 7, 6, 2});      // P23
  check_fresh(mesh({5, 4}), 7, kFarthest, {1, 2, 4, 8, 4});  // P24
  check_fresh(mesh({5, 4}), 7, kSeed, {1, 2, 4, 5, 5, 2});   // P25
  check_fresh(mesh({1, 6}), 2, kAllPort, {2, 2, 1});         // P26
  check_fresh(mesh({1, 6}), 2, kFarthest, {1, 2, 2});        // P27
  check_fresh(mesh({1, 6}), 2, kSeed, {1, 2, 1, 1});         // P28
}

TEST_CASE("dimension-order trees of tori cost what the specification says", "[collective]") {
  check_fresh(torus({4, 4}), 5, kAllPort, {4, 6, 4, 1});      // P29
  check_fresh(torus({4, 4}), 5, kFarthest, {1, 2, 4, 8});     // P30
  check_fresh(torus({4, 4}), 5, kSeed, {1, 2, 4, 4, 4});      // P31
  check_fresh(torus({5, 3}), 0, kAllPort, {4, 6, 4});         // P33
  check_fresh(torus({5, 3}), 0, kFarthest, {1, 2, 4, 5, 2});  // P34
  check_fresh(torus({5, 3}), 0, kSeed, {1, 2, 4, 5, 2});      // P35
  check_fresh(torus({2, 4}), 3, kAllPort, {3, 3, 1});         // P37
  check_fresh(torus({2, 4}), 3, kFarthest, {1, 2, 4});        // P38
  check_fresh(torus({2, 4}), 3, kSeed, {1, 2, 2, 2});         // P39
}

TEST_CASE("packets that nothing stops meet at the far side of a torus", "[collective]") {
  const Verification even = broadcast(torus({4, 4}), 5, kNaive);  // P32
  CHECK(even.rounds == 4);
  CHECK(even.duplicates == 5);
  const Verification odd = broadcast(torus({5, 3}), 0, kNaive);  // P36
  CHECK(odd.rounds == 3);
  CHECK(odd.duplicates == 12);
  const Verification flat = broadcast(torus({2, 4}), 3, kNaive);  // P40
  CHECK(flat.rounds == 3);
  CHECK(flat.duplicates == 3);
  CHECK(broadcast(ring(1), 0, kNaive).transmissions == 0);
}

TEST_CASE("dimension-order trees are legal and as fast as promised on all small grids",
          "[collective]") {
  for (const Grid& grid : small_grids()) {
    for (const NodeId source : nodes_of(grid)) {
      for (const DimensionOrderTree& tree : {kAllPort, kFarthest, kSeed, kNaive}) {
        broadcast(grid, index(source), tree);
      }
    }
  }
}

TEST_CASE("with all ports the rounds are the source's eccentricity, stopped or not",
          "[collective]") {
  for (const Grid& grid : small_grids()) {
    const NodeId source{static_cast<std::uint32_t>(grid.node_count() / 3)};
    const std::size_t eccentricity = flooding_broadcast(grid, source).claim.rounds;
    CHECK(dimension_order_broadcast(grid, source, kAllPort).claim.rounds == eccentricity);
    CHECK(dimension_order_broadcast(grid, source, kNaive).claim.rounds == eccentricity);
  }
}

TEST_CASE("a centred dimension costs one-port nodes a round more than the eccentricity",
          "[collective]") {
  CHECK(broadcast(mesh({5}), 2, kFarthest).rounds == 2 + 1);
  CHECK(broadcast(mesh({5}), 1, kFarthest).rounds == 3);
  CHECK(broadcast(mesh({3, 3, 3}), 13, kFarthest).rounds == 3 + 3);
  CHECK(broadcast(mesh({5, 5, 5}), 62, kFarthest).rounds == 6 + 3);
  CHECK(broadcast(mesh({5, 5, 4}), 2 + 5 * 2 + 25 * 1, kFarthest).rounds == 6 + 2);
  CHECK(broadcast(mesh({3, 3, 8}), 1 + 3 * 1 + 9 * 3, kFarthest).rounds == 6 + 2);
  CHECK(broadcast(torus({5, 3, 7}), 0, kFarthest).rounds == 6 + 3);
  CHECK(broadcast(torus({6, 4}), 0, kFarthest).rounds == 5);
}

TEST_CASE("minus before plus costs a round where plus is not the shorter side", "[collective]") {
  CHECK(broadcast(mesh({1, 6}), 3, kSeed).rounds == 3);  // The line has 3 nodes below, 2 above.
  CHECK(broadcast(mesh({1, 6}), 2, kSeed).rounds == 4);  // The line has 2 nodes below, 3 above.
  // The extra round does not occur in dimension 0.
  CHECK(broadcast(mesh({6}), 2, kSeed).rounds == 3);
  CHECK(broadcast(mesh({1, 6}), 0, kSeed).rounds == 5);  // The line has no node below.
}

TEST_CASE("unstopped packets do no harm where nothing wraps", "[collective]") {
  const Verification verification = broadcast(mesh({5, 4}), 7, kNaive);
  CHECK(verification.duplicates == 0);
  CHECK(verification.new_per_round == Numbers{4, 7, 6, 2});
  const Grid cylinder("cylinder", {{3, false}, {5, true}});
  CHECK(broadcast(cylinder, 4, kNaive).duplicates == 3 * 2);
}

TEST_CASE("dimension-order trees are for one port or all", "[collective]") {
  const Grid grid = torus({4, 4});
  for (const unsigned ports : {0U, 2U, 4U}) {
    const auto build = [&] { dimension_order_broadcast(grid, NodeId{0}, {ports}); };
    CHECK(refusal(build).subject() == PreconditionError::Subject::kPorts);
  }
  const DimensionOrderTree one_port_naive{1, DirectionRule::kFarthest, false};
  const PreconditionError error =
      refusal([&] { dimension_order_broadcast(grid, NodeId{0}, one_port_naive); });
  CHECK(error.subject() == PreconditionError::Subject::kPorts);
  CHECK(error.hint() == "use all ports, or stop in time");
}

TEST_CASE("dimension-order trees refuse a source outside the grid and name its nodes",
          "[collective]") {
  const PreconditionError error = refusal([] {
    dimension_order_broadcast(torus({4, 4}), NodeId{16}, kFarthest);
  });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint().find("0 to 15") != std::string::npos);
}
