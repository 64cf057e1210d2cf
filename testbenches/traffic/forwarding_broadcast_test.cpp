// SPDX-License-Identifier: Apache-2.0
// Broadcast by the routers: trees and depths of spec/broadcast-and-gossip.md sections 1.3 to 1.5.
#include <algorithm>
#include <memory>

#include "collective/precondition.h"
#include "support/test_catch.h"
#include "traffic/forwarding_run.h"

using namespace flitcast;

namespace {

using Runs = std::vector<std::unique_ptr<ForwardingRun>>;

Demand broadcast_from(NodeId source, const Topology& topology) {
  return {Operation::kBroadcast, topology.node_count(), source};
}

std::vector<NodeId> some_nodes(const Topology& topology) {
  const auto nodes = static_cast<std::uint32_t>(topology.node_count());
  const std::uint32_t step = nodes <= 12 ? 1 : nodes / 3;
  std::vector<NodeId> some;
  for (std::uint32_t n = 0; n < nodes; n += step) some.push_back(NodeId{n});
  return some;
}

std::size_t distance(const Grid& grid, NodeId a, NodeId b) {
  std::size_t sum = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::size_t from = std::min(grid.coordinate(a, d), grid.coordinate(b, d));
    const std::size_t to = std::max(grid.coordinate(a, d), grid.coordinate(b, d));
    sum += grid.wraps(d) ? std::min(to - from, grid.size(d) - (to - from)) : to - from;
  }
  return sum;
}

std::size_t distance(const Hypercube&, NodeId a, NodeId b) {
  return static_cast<std::size_t>(__builtin_popcount(index(a) ^ index(b)));
}

/// Checks that every node but the source is served once, at the earliest time possible for its
/// first flit.
template <class Family>
void check_times(const ForwardingRun& run, const Family& topology, NodeId source,
                 const NetworkParams& params, std::uint32_t length) {
  std::size_t depth = 0;
  REQUIRE(run.deliveries().size() == topology.node_count() - 1);
  for (const Delivery& delivery : run.deliveries()) {
    const std::size_t channels = distance(topology, source, delivery.node);
    CAPTURE(index(delivery.node));
    CHECK(delivery.arrival + 1 == Cycle{analytic_cycles(params, length, channels)});
    depth = std::max(depth, channels);
  }
  CHECK(run.depth() == depth);
  CHECK(run.cycles() == (depth == 0 ? 0 : analytic_cycles(params, length, depth)));
}

/// Checks that the traffic follows a tree: N - 1 channels, each with the whole packet.
void check_tree(const std::vector<std::uint64_t>& flits, std::size_t nodes, std::uint32_t length) {
  CHECK(static_cast<std::size_t>(std::count(flits.begin(), flits.end(), length)) == nodes - 1);
  CHECK(static_cast<std::size_t>(std::count(flits.begin(), flits.end(), 0U)) ==
        flits.size() - (nodes - 1));
}

// Runs both stop rules, which must cause the same traffic.
void check_grid(const Grid& grid, const NetworkParams& params, std::uint32_t length) {
  Runs runs;
  for (const NodeId source : some_nodes(grid)) {
    for (const StopRule rule : {StopRule::kHopCounter, StopRule::kSourceAddress}) {
      runs.push_back(std::make_unique<ForwardingRun>(
          grid, dimension_order_forwarding(grid, source, rule, params.router.virtual_channels),
          broadcast_from(source, grid), params, length));
    }
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const NodeId source = some_nodes(grid)[r / 2];
    CAPTURE(grid.name(), index(source), length);
    runs[r]->run();
    check_times(*runs[r], grid, source, params, length);
    check_tree(runs[r]->channel_flits(), grid.node_count(), length);
    if (r % 2 != 0) CHECK(runs[r]->channel_flits() == runs[r - 1]->channel_flits());
  }
}

void check_cube(const Hypercube& cube, const NetworkParams& params, std::uint32_t length) {
  Runs runs;
  for (const NodeId source : some_nodes(cube)) {
    runs.push_back(std::make_unique<ForwardingRun>(
        cube, binomial_forwarding(cube, source, params.router.virtual_channels),
        broadcast_from(source, cube), params, length));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    CAPTURE(cube.name(), index(some_nodes(cube)[r]), length);
    runs[r]->run();
    check_times(*runs[r], cube, some_nodes(cube)[r], params, length);
    check_tree(runs[r]->channel_flits(), cube.node_count(), length);
  }
}

std::vector<Grid> grids() {
  return {mesh({1}),
          mesh({2}),
          mesh({5}),
          mesh({4, 3}),
          mesh({1, 4}),
          mesh({3, 2, 3}),
          ring(2),
          ring(3),
          ring(6),
          ring(7),
          torus({2, 2}),
          torus({5, 2}),
          torus({3, 4}),
          torus({5, 5}),
          torus({3, 3, 3}),
          torus({2, 3, 4}),
          Grid("mixture", {{4, true}, {3, false}})};
}

}  // namespace

TEST_CASE("routers of grids serve a node k channels away in ts + k td + m tm, stored in k steps",
          "[traffic]") {
  const std::size_t grid = GENERATE(range(std::size_t{0}, std::size_t{17}));
  REQUIRE(grids().size() == 17);
  const Kind kind = GENERATE(from_range(kKinds));
  const std::uint32_t length = GENERATE(1U, 6U);
  check_grid(grids()[grid], params_of(kind, length), length);
}

TEST_CASE(
    "routers of hypercubes serve a node k channels away in ts + k td + m tm, stored in k steps",
    "[traffic]") {
  const Hypercube cube(GENERATE(range(std::size_t{0}, std::size_t{7})));
  const Kind kind = GENERATE(from_range(kKinds));
  const std::uint32_t length = GENERATE(1U, 6U);
  check_cube(cube, params_of(kind, length), length);
}

TEST_CASE("start-up, slow and long channels enter the time of a broadcast as the model says",
          "[traffic]") {
  const NetworkParams params =
      with_slow_channels(params_of(GENERATE(from_range(kKinds)), 5), GENERATE(1U, 3U));
  if (GENERATE(false, true)) {
    check_grid(torus({4, 3}), params, 5);
  } else {
    check_cube(Hypercube(3), params, 5);
  }
}

TEST_CASE("nodes with several ports inject by any of them", "[traffic]") {
  Grid grid = torus({4, 3});
  grid.widen_nodes(4);
  const NodeId source{7};
  const NetworkParams params = params_of(GENERATE(from_range(kKinds)), 4);
  RouterForwarding forwarding = dimension_order_forwarding(grid, source, StopRule::kHopCounter, 1);
  forwarding.injections[0].port = GENERATE(std::uint16_t{1}, std::uint16_t{3});
  ForwardingRun run(grid, std::move(forwarding), broadcast_from(source, grid), params, 4);
  run.run();
  check_times(run, grid, source, params, 4);
}

TEST_CASE("a source that is not a node and a line too long for its counter are refused",
          "[traffic]") {
  const Grid grid = torus({3, 3});
  CHECK_THROWS_AS(dimension_order_forwarding(grid, NodeId{9}, StopRule::kHopCounter, 1),
                  PreconditionError);
  CHECK_THROWS_AS(binomial_forwarding(Hypercube(3), NodeId{8}, 1), PreconditionError);
  CHECK_THROWS_AS(binomial_forwarding(Hypercube(3), NodeId{0}, 0), std::invalid_argument);

  const auto forward = [](const Grid& line, StopRule rule) {
    return dimension_order_forwarding(line, NodeId{0}, rule, 1).depth();
  };
  CHECK(forward(mesh({65536}), StopRule::kHopCounter) == 65535);
  CHECK_THROWS_AS(forward(mesh({65537}), StopRule::kHopCounter), PreconditionError);
  CHECK(forward(mesh({65537}), StopRule::kSourceAddress) == 65536);
  CHECK(forward(ring(131071), StopRule::kHopCounter) == 65535);
  CHECK_THROWS_AS(forward(ring(131072), StopRule::kHopCounter), PreconditionError);
}
