// SPDX-License-Identifier: Apache-2.0
#include "permutation/instance.h"

#include <algorithm>
#include <string>

#include "permutation/algorithm.h"
#include "permutation/instance.h"
#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// Destinations by source, -1 for idle places.
std::vector<int> destinations(const std::string& text, const std::vector<std::size_t>& grid) {
  const Section section =
      read_section("workload", {permutation_param()}, "{permutation: " + text + "}", "x.yaml");
  InstanceContext context;
  context.grid = grid;
  context.network = "here";
  context.is_cube = std::all_of(grid.begin(), grid.end(), [](std::size_t s) { return s == 2; });
  std::vector<int> table(context.places(), -1);
  for (const Transfer& packet : make_instance(section, context)) {
    table[index(packet.from)] = static_cast<int>(index(packet.to));
  }
  return table;
}

std::string refusal_of(const std::string& text, const std::vector<std::size_t>& grid) {
  try {
    destinations(text, grid);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("random instances are those that anybody can regenerate", "[permutation]") {
  using Table = std::vector<int>;
  CHECK(destinations("{random: 1}", {8}) == Table{4, 3, 2, 7, 5, 6, 0, 1});
  CHECK(destinations("{random: 42}", {16}) ==
        Table{12, 13, 4, 2, 14, 6, 7, 8, 11, 15, 9, 10, 3, 0, 1, 5});
  CHECK(destinations("{random_function: 1}", {8}) == Table{1, 7, 6, 3, 1, 0, 5, 5});
}

TEST_CASE("permutations of bits do to one bit what they are named after", "[permutation]") {
  const std::vector<std::size_t> q5{2, 2, 2, 2, 2};
  CHECK(destinations("transpose", q5)[0b10011] == 0b11010);
  CHECK(destinations("transpose_midflip", q5)[0b10011] == 0b11110);
  CHECK(destinations("bit_reverse", q5)[0b10011] == 0b11001);
  CHECK(destinations("shuffle", q5)[0b10011] == 0b00111);
  CHECK(destinations("complement", q5)[0b10011] == 0b01100);
  CHECK(destinations("transpose", {3, 3})[1] == 3);
}

TEST_CASE("a list leaves places idle, and names some twice only where it may", "[permutation]") {
  CHECK(destinations("[2, -1, 0]", {3}) == std::vector<int>{2, -1, 0});
  CHECK(destinations("{many_to_one: [2, 2, 0]}", {3}) == std::vector<int>{2, 2, 0});
}

TEST_CASE("what is no permutation is refused with what comes twice and what is missing",
          "[permutation]") {
  const std::string twice = refusal_of("[0, 2, 2, 0, 4]", {5});
  CHECK(says(twice, "0, 2 come more than once, 1, 3 not at all"));
  CHECK(says(twice, "{many_to_one: [...]}"));
  CHECK(says(refusal_of("[0, 1]", {3}), "a list of 2 destinations for the 3 places"));
  CHECK(says(refusal_of("[0, 1, 7]", {3}), "has no place 7; use 0 to 2"));
  CHECK(says(refusal_of("[0, 1, 3]", {3}), "has no place 3; use 0 to 2"));
  CHECK(says(refusal_of("{pairs: [0]}", {3}), "pairs"));
  CHECK(says(refusal_of("{random_pairs: [1]}", {3}), "a seed and a number of packets"));
}

TEST_CASE("a size that an instance is not defined on is refused with sizes that do",
          "[permutation]") {
  CHECK(says(refusal_of("transpose", {3, 4}), "use 4 or 16 places"));
  CHECK(says(refusal_of("bit_reverse", {6}), "use 4 or 8 places"));
  CHECK(says(refusal_of("transpose_midflip", {2, 2}), "use 2 or 8 places"));
  CHECK(says(refusal_of("worst_buffer", {4, 6}), "use mesh 6x6"));
  CHECK(says(refusal_of("worst_dimension_order", {4, 4}), "use mesh 4x4x4"));
}

// Q and H of the section on buffers: max(2, ceil(2n/3) - 1) from n = 3 on.
TEST_CASE("the worst instance reaches the longest queue that any can", "[permutation]") {
  CHECK(most_queued_under_xy(2, 2) == 1);
  for (std::size_t n = 2; n <= 16; ++n) {
    CAPTURE(n);
    const Grid square = mesh({n, n});
    const PhaseOutcome outcome = OnePhase(square).run(worst_buffer(n, n));
    const std::size_t known = n == 2 ? 1 : std::max<std::size_t>(2, (2 * n + 2) / 3 - 1);
    CHECK(most_queued_under_xy(n, n) == known);
    CHECK(outcome.max_queue == known);
    CHECK(outcome.max_held == known - 1);
  }
}

TEST_CASE("the worst instance of a rectangle reaches the counted queue, too", "[permutation]") {
  for (std::size_t columns = 2; columns <= 9; ++columns) {
    for (std::size_t rows = 2; rows <= 9; ++rows) {
      CAPTURE(columns, rows);
      const Grid rectangle = mesh({columns, rows});
      const PhaseOutcome outcome = OnePhase(rectangle).run(worst_buffer(columns, rows));
      CHECK(outcome.max_queue == most_queued_under_xy(columns, rows));
    }
  }
}

TEST_CASE("the bad instance of k x k x k loads one link with k floor(k/2) packets",
          "[permutation]") {
  for (std::size_t k = 4; k <= 8; ++k) {
    CAPTURE(k);
    const Grid cube = mesh({k, k, k});
    const PhaseOutcome outcome = OnePhase(cube).run(worst_dimension_order(k));
    CHECK(outcome.congestion == k * (k / 2));
    CHECK(outcome.steps == k * (k / 2) + (k % 2 == 0 ? k - 1 : k));
    CHECK(outcome.max_queue == k);
  }
}
