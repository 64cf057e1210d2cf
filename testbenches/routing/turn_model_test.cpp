// SPDX-License-Identifier: Apache-2.0
#include "routing/turn_model.h"

#include <set>

#include "routing/analysis/deadlock.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

/// Tries all minimal paths; true if one of them has only allowed turns.
bool leads(const Grid& grid, TurnRule rule, NodeId here, int came_by, NodeId end) {
  if (here == end) return true;
  const Adjacency adjacency(grid);
  for (std::uint16_t port = 0; port < 4; ++port) {
    const std::size_t d = port / 2;
    const bool up = grid.coordinate(here, d) < grid.coordinate(end, d);
    const bool down = grid.coordinate(here, d) > grid.coordinate(end, d);
    if (port % 2 == 0 ? !up : !down) continue;
    const auto column = static_cast<std::uint32_t>(grid.coordinate(here, 0));
    if (came_by >= 0 && came_by != port &&
        !rule(static_cast<Compass>(came_by), static_cast<Compass>(port), column)) {
      continue;
    }
    const std::uint32_t channel = adjacency.leaving(RouterId{index(here)}, PortId{port});
    const NodeId next{index(grid.channels()[channel].to.router)};
    if (leads(grid, rule, next, port, end)) return true;
  }
  return false;
}

/// The outputs that begin such a path.
std::set<unsigned> expected_outputs(const Grid& grid, TurnRule rule, NodeId here, int came_by,
                                    NodeId end) {
  std::set<unsigned> outputs;
  const Adjacency adjacency(grid);
  for (std::uint16_t port = 0; port < 4; ++port) {
    const std::size_t d = port / 2;
    const std::size_t at = grid.coordinate(here, d);
    const std::size_t to = grid.coordinate(end, d);
    if (port % 2 == 0 ? at >= to : at <= to) continue;
    const auto column = static_cast<std::uint32_t>(grid.coordinate(here, 0));
    if (came_by >= 0 && came_by != port &&
        !rule(static_cast<Compass>(came_by), static_cast<Compass>(port), column)) {
      continue;
    }
    const std::uint32_t channel = adjacency.leaving(RouterId{index(here)}, PortId{port});
    const NodeId next{index(grid.channels()[channel].to.router)};
    if (leads(grid, rule, next, port, end)) outputs.insert(port);
  }
  return outputs;
}

std::set<unsigned> offered_outputs(const TurnModel& routing, NodeId here, int came_by, NodeId end) {
  Alternatives options;
  options.clear();
  const auto input = static_cast<std::uint16_t>(came_by < 0 ? 4 : came_by ^ 1);
  routing.alternatives({RouterId{index(here)}, PortId{input}, VcId{0}, end}, options);
  std::set<unsigned> outputs;
  for (const Alternative& option : options) outputs.insert(index(option.output));
  return outputs;
}

constexpr TurnRule kTurnRules[] = {west_first, north_last, negative_first, odd_even};

}  // namespace

// Chiu, "The Odd-Even Turn Model for Adaptive Routing", 2000, rules 1 and 2.
TEST_CASE("odd-even forbids eastward packets to turn in even columns, all to turn west in odd ones",
          "[routing]") {
  for (const Compass vertical : {Compass::kNorth, Compass::kSouth}) {
    CHECK_FALSE(odd_even(Compass::kEast, vertical, 2));
    CHECK(odd_even(Compass::kEast, vertical, 3));
    CHECK(odd_even(vertical, Compass::kWest, 2));
    CHECK_FALSE(odd_even(vertical, Compass::kWest, 3));
    CHECK(odd_even(Compass::kWest, vertical, 2));
    CHECK(odd_even(vertical, Compass::kEast, 3));
  }
}

// The state of a packet is the channel by which it arrived; the test compares all states that the
// routing itself reaches.
TEST_CASE("turn models offer exactly the outputs that begin a minimal path of allowed turns",
          "[routing]") {
  const TurnRule rule = kTurnRules[GENERATE(range(0, 4))];
  const Grid grid = mesh({5, 4});
  const Adjacency adjacency(grid);
  const TurnModel routing(grid, rule, 1, OutputSelection::kRandom);
  for (std::uint32_t end = 0; end < 20; ++end) {
    std::set<std::pair<std::uint32_t, int>> seen;
    std::vector<std::pair<std::uint32_t, int>> queue;
    for (std::uint32_t start = 0; start < 20; ++start) {
      if (start != end) queue.emplace_back(start, -1);
    }
    while (!queue.empty()) {
      const auto [here, came_by] = queue.back();
      queue.pop_back();
      if (here == end || !seen.emplace(here, came_by).second) continue;
      INFO("from " << here << " to " << end << ", come by " << came_by);
      const auto outputs = offered_outputs(routing, NodeId{here}, came_by, NodeId{end});
      REQUIRE(!outputs.empty());
      REQUIRE(outputs == expected_outputs(grid, rule, NodeId{here}, came_by, NodeId{end}));
      for (const unsigned output : outputs) {
        const std::uint32_t channel = adjacency.leaving(RouterId{here}, to_id<PortId>(output));
        queue.emplace_back(index(grid.channels()[channel].to.router), static_cast<int>(output));
      }
    }
  }
}

TEST_CASE("a turn too many closes a cycle", "[routing]") {
  const Grid grid = mesh({4, 4});
  // West-first, except that packets that travel north may turn west.
  const TurnRule one_too_many = [](Compass from, Compass to, std::uint32_t column) {
    return from == Compass::kNorth || west_first(from, to, column);
  };
  const auto selection = OutputSelection::kRandom;
  CHECK(check_dependencies(grid, TurnModel(grid, west_first, 1, selection), 1).acyclic());
  CHECK_FALSE(check_dependencies(grid, TurnModel(grid, one_too_many, 1, selection), 1).acyclic());
}

TEST_CASE("turn models are for meshes of two dimensions", "[routing]") {
  const auto selection = OutputSelection::kRandom;
  CHECK_THROWS_AS(TurnModel(torus({4, 4}), odd_even, 1, selection), std::invalid_argument);
  CHECK_THROWS_AS(TurnModel(mesh({4}), odd_even, 1, selection), std::invalid_argument);
  CHECK_THROWS_AS(TurnModel(mesh({3, 3, 3}), odd_even, 1, selection), std::invalid_argument);
}
