// SPDX-License-Identifier: Apache-2.0
// What theory says of T, Q, H and C, for whole classes of instances.
#include <algorithm>
#include <string>

#include "base/random.h"
#include "permutation/instance.h"
#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

StepFigures on_cube(std::size_t n, const std::string& permutation, const char* discipline) {
  return figures_of(
      "hypercube, dimension: " + std::to_string(n), "e_cube",
      "permutation: " + permutation + ", algorithm: bit_fixing, discipline: " + discipline);
}

/// The finishing time of farthest-first on a line, in closed form: packets for nodes d and beyond
/// are never delayed by others, so those of sources up to i keep link d - 1 busy.
std::size_t time_on_line(std::size_t nodes, const Instance& packets) {
  std::size_t time = 0;
  const auto look = [&](auto position) {
    for (std::size_t d = 1; d < nodes; ++d) {
      for (std::size_t i = 0; i < d; ++i) {
        const auto count = static_cast<std::size_t>(
            std::count_if(packets.begin(), packets.end(), [&](const Transfer& packet) {
              return position(packet.from) <= i && position(packet.to) >= d;
            }));
        if (count > 0) time = std::max(time, count + (d - 1 - i));
      }
    }
  };
  look([](NodeId node) { return index(node); });
  look([&](NodeId node) { return nodes - 1 - index(node); });
  return time;
}

// Calls check(table) for every function from the nodes to the nodes.
template <class Check>
void for_every_function(std::size_t nodes, Check check) {
  DestinationTable to(nodes);
  for (std::size_t digit = 0; digit < nodes;) {
    check(to);
    for (digit = 0; digit < nodes; ++digit) {
      to[digit] = NodeId{index(to[digit]) + 1};
      if (index(to[digit]) < nodes) break;
      to[digit] = NodeId{0};
    }
  }
}

template <class Check>
void for_every_permutation(std::size_t nodes, Check check) {
  DestinationTable table;
  for (std::uint32_t node = 0; node < nodes; ++node) table.push_back(NodeId{node});
  do check(table);
  while (std::next_permutation(table.begin(), table.end()));
}

}  // namespace

TEST_CASE("bit fixing takes on its worst permutations what theory says", "[permutation]") {
  for (std::size_t n = 4; n <= 10; ++n) {
    CAPTURE(n);
    const std::size_t half = n / 2;
    const std::size_t load = std::size_t{1} << (half - 1);
    for (const char* permutation : {"transpose", "bit_reverse"}) {
      const StepFigures fifo = on_cube(n, permutation, "fifo");
      CHECK(fifo.congestion == load);
      CHECK(fifo.steps == load + half);
      CHECK(fifo.max_queue == std::max<std::size_t>(1, load / 2));
      CHECK(fifo.max_held == fifo.max_queue - 1);
      CHECK(on_cube(n, permutation, "farthest").steps == load + 2);
    }
    CHECK(on_cube(n, "complement", "fifo").steps == n);
    CHECK(on_cube(n, "complement", "fifo").congestion == 1);
  }
}

TEST_CASE("bit fixing takes most of a transpose with the middle bit inverted", "[permutation]") {
  for (const std::size_t n : {5U, 7U, 9U}) {
    CAPTURE(n);
    const std::size_t load = std::size_t{1} << (n / 2);
    const StepFigures fifo = on_cube(n, "transpose_midflip", "fifo");
    CHECK(fifo.congestion == load);
    CHECK(fifo.steps == load + n / 2);
    CHECK(fifo.max_queue == load / 2);
    CHECK(on_cube(n, "transpose_midflip", "farthest").steps == load + 1);
  }
}

TEST_CASE("bit reversal on a butterfly takes n + C - 1 steps", "[permutation]") {
  for (std::size_t n = 3; n <= 8; ++n) {
    CAPTURE(n);
    const StepFigures figures =
        figures_of("butterfly, arity: 2, stages: " + std::to_string(n + 1), "destination_tag",
                   "permutation: bit_reverse, algorithm: one_pass, ends: routers");
    const std::size_t load = std::size_t{1} << ((n - 1) / 2);
    CHECK(figures.congestion == load);
    CHECK(figures.steps == n + load - 1);
    CHECK(figures.max_queue == load / 2 + 1);
  }
}

TEST_CASE("every function of up to five nodes of a line takes exactly the time of the formula",
          "[permutation]") {
  for (std::size_t nodes = 2; nodes <= 5; ++nodes) {
    const Grid line = mesh({nodes});
    OnePhase phase(line);
    for_every_function(nodes, [&](const DestinationTable& to) {
      const Instance packets = instance_of(to);
      REQUIRE(phase.run(packets).steps == time_on_line(nodes, packets));
      REQUIRE(phase.theorem.applies);
      REQUIRE(phase.theorem.violations == 0);
    });
  }
}

TEST_CASE("many packets of many nodes of a line take exactly the time of the formula",
          "[permutation]") {
  Random random(7);
  for (int instance = 0; instance < 200; ++instance) {
    const std::size_t nodes = 2 + random.below(12);
    Instance packets(1 + random.below(30));
    for (Transfer& packet : packets) {
      packet.from = NodeId{static_cast<std::uint32_t>(random.below(nodes))};
      packet.to = NodeId{static_cast<std::uint32_t>(random.below(nodes))};
    }
    const Grid line = mesh({nodes});
    CHECK(OnePhase(line).run(packets).steps == time_on_line(nodes, packets));
  }
}

TEST_CASE("XY takes every permutation of a small mesh within its diameter and queue bound",
          "[permutation]") {
  const auto [columns, rows] = GENERATE(table<std::size_t, std::size_t>({{2, 2}, {3, 2}, {2, 3}}));
  const Grid plane = mesh({columns, rows});
  const std::size_t diameter = columns + rows - 2;
  OnePhase phase(plane);
  std::size_t longest_queue = 0;
  for_every_permutation(columns * rows, [&](const DestinationTable& table) {
    const PhaseOutcome outcome = phase.run(instance_of(table));
    REQUIRE(outcome.steps <= diameter);
    REQUIRE(outcome.max_held + 1 <= std::max<std::size_t>(1, outcome.max_queue));
    REQUIRE(phase.theorem.violations == 0);
    longest_queue = std::max(longest_queue, outcome.max_queue);
  });
  CHECK(longest_queue <= most_queued_under_xy(columns, rows));
}

TEST_CASE("a permutation of 3 x 3 x 3 exceeds the diameter under dimension order",
          "[permutation]") {
  const StepFigures figures = figures_of(
      "mesh, sizes: [3, 3, 3]", "dimension_order",
      "permutation: [5, 0, 24, 2, 9, 3, 20, 11, 21, 26, 4, 13, 10, 12, 19, 25, 1, 18, 16, 6, 15, "
      "7, 22, 8, 23, 17, 14], algorithm: dimension_order");
  CHECK(figures.steps == 7);
}

TEST_CASE("the delay theorem holds for every discipline on cubes and meshes", "[permutation]") {
  const char* const discipline =
      GENERATE("fifo", "farthest_first", "farthest", "nearest_first", "lifo", "random");
  CAPTURE(discipline);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string instance = "{random_function: " + std::to_string(seed) + "}";
    const StepFigures cube = on_cube(6, instance, discipline);
    CHECK(cube.theorem.applies);
    CHECK(cube.theorem.violations == 0);
    const StepFigures plane =
        figures_of("mesh, sizes: [7, 6]", "dimension_order",
                   "permutation: " + instance + ", algorithm: greedy, discipline: " + discipline);
    CHECK(plane.theorem.applies);
    CHECK(plane.theorem.violations == 0);
  }
}

namespace {

std::string fat_tree(std::size_t arity, std::size_t levels) {
  return "fat_tree, arity: " + std::to_string(arity) + ", levels: " + std::to_string(levels);
}

std::string listed(const DestinationTable& table) {
  std::string list;
  for (const NodeId to : table) list += (list.empty() ? "" : ", ") + std::to_string(index(to));
  return "permutation: [" + list + "]";
}

}  // namespace

TEST_CASE("coloured ancestors of a fat tree leave no two packets of a permutation on a link",
          "[permutation]") {
  const auto [arity, levels] =
      GENERATE(table<std::size_t, std::size_t>({{2, 2}, {2, 4}, {3, 3}, {4, 2}, {5, 1}, {4, 3}}));
  CAPTURE(arity, levels);
  std::size_t nodes = 1;
  for (std::size_t l = 0; l < levels; ++l) nodes *= arity;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StepFigures figures =
        figures_of(fat_tree(arity, levels), "nearest_common_ancestor",
                   listed(random_permutation(seed, nodes)) + ", algorithm: coloured_ascent");
    CHECK(figures.congestion <= 1);
    CHECK(figures.max_delay == 0);
    CHECK(figures.steps == figures.longest_path);
  }
}

// The destinations of node i of leaf 0 agree in all digits below the middle.
TEST_CASE("the digits of destinations crowd links as much as theory says, and no more",
          "[permutation]") {
  const auto [arity, levels, most] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
      {{2, 2, 1}, {3, 2, 2}, {4, 2, 3}, {2, 3, 2}, {3, 3, 3}, {2, 4, 3}, {2, 5, 4}}));
  CAPTURE(arity, levels);
  std::size_t nodes = 1;
  for (std::size_t l = 0; l < levels; ++l) nodes *= arity;
  std::size_t worst = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const PaperCase paper(fat_tree(arity, levels), "d_mod_k",
                          listed(random_permutation(seed, nodes)) + ", algorithm: d_mod_k");
    const PermutationRoute route = make_route(paper.context);
    REQUIRE(route.claims.size() == 1);
    CHECK(route.claims[0].at_most == static_cast<double>(most));
    worst = std::max(worst, paper.play().congestion);
  }
  CHECK(worst == most);
}

TEST_CASE("a random ascent draws the ancestor of a packet from the seed of the experiment",
          "[permutation]") {
  const PaperCase paper(fat_tree(4, 2), "nearest_common_ancestor",
                        "permutation: {random: 7}, algorithm: random_ascent");
  const PermutationRoute route = make_route(paper.context);
  std::size_t differing = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    MovePaths paths(*paper.network, *route.routing, seed);
    MovePaths again(*paper.network, *route.routing, seed);
    MovePaths other(*paper.network, *route.routing, seed + 8);
    for (const Message& move : route.plan.phases.messages(0)) {
      CHECK(paths.route_field(move) == again.route_field(move));
      CHECK(paths.route_field(move) < 4);
      if (paths.route_field(move) != other.route_field(move)) ++differing;
    }
  }
  CHECK(differing > 8);
}
