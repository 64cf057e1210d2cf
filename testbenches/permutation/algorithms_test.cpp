// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string>

#include "permutation/algorithm.h"
#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

const char* const kXy = "dimension_order";

std::string plane(std::size_t columns, std::size_t rows) {
  return "mesh, sizes: [" + std::to_string(columns) + ", " + std::to_string(rows) + "]";
}

/// The node at one end of every packet.
std::vector<NodeId> ends_of(const Instance& packets, NodeId Transfer::*end) {
  std::vector<NodeId> nodes;
  for (const Transfer& packet : packets) nodes.push_back(packet.*end);
  return nodes;
}

// By packet: its node after all phases, whose moves must join without a gap. Sorting moves copies,
// so a packet may also start at its node before the phase.
std::vector<NodeId> ends_of_route(const PermutationRoute& route) {
  std::vector<NodeId> at = ends_of(route.packets, &Transfer::from);
  std::vector<NodeId> before = at;
  const Schedule& phases = route.plan.phases;
  for (std::size_t m = 0; m < phases.size(); ++m) {
    const Message& move = phases.message(m);
    const std::uint32_t packet = packet_of(move);
    const bool joins =
        move.from == at[packet] || (phases.rounds() > 3 && move.from == before[packet]);
    CHECK(joins);
    before[packet] = move.from;
    at[packet] = move.to;
  }
  return at;
}

void require_arrival(const PaperCase& paper) {
  const PermutationRoute route = make_route(paper.context);
  CHECK(ends_of_route(route) == ends_of(route.packets, &Transfer::to));
}

std::size_t ceil_of_log2(std::size_t count) {
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < count) ++bits;
  return bits;
}

std::size_t steps_of_sorting(const StepFigures& figures) {
  return std::accumulate(figures.phase_steps.begin(), figures.phase_steps.end() - 3,
                         std::size_t{0});
}

std::string refusal_of_route(const std::string& topology, const std::string& workload) {
  try {
    const bool is_cube = topology[0] == 'h';
    const bool is_butterfly = topology[0] == 'b';
    const char* routing = is_cube ? "e_cube" : is_butterfly ? "destination_tag" : kXy;
    make_route(PaperCase(topology, routing, workload).context);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("off-line routing takes partial permutations where they go, without any delay",
          "[permutation]") {
  const auto [columns, rows] =
      GENERATE(table<std::size_t, std::size_t>({{4, 4}, {9, 4}, {4, 9}, {6, 1}, {1, 6}, {16, 16}}));
  const char* const colouring = GENERATE("euler_split", "alternating_paths");
  CAPTURE(columns, rows, colouring);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    std::string list;
    for (const NodeId to : random_permutation(seed, columns * rows)) {
      const bool idle = seed > 2 && index(to) % seed == 0;
      list += (list.empty() ? "" : ", ") + (idle ? "-1" : std::to_string(index(to)));
    }
    const PaperCase paper(
        plane(columns, rows), kXy,
        "permutation: [" + list + "], algorithm: off_line, colouring: " + colouring);
    require_arrival(paper);
    const StepFigures figures = paper.play();
    CHECK(figures.max_queue <= 1);
    CHECK(figures.max_held == 0);
    CHECK(figures.max_delay == 0);
    CHECK(figures.steps <= rows + columns + std::min(rows, columns) - 3);
  }
}

TEST_CASE("shearsort takes the steps of its formula and leaves nothing to wait for",
          "[permutation]") {
  const auto [columns, rows] = GENERATE(
      table<std::size_t, std::size_t>({{4, 4}, {8, 8}, {7, 5}, {5, 7}, {1, 4}, {4, 1}, {6, 3}}));
  CAPTURE(columns, rows);
  const PaperCase paper(plane(columns, rows), kXy,
                        "permutation: {random: 5}, algorithm: shearsort");
  require_arrival(paper);
  const StepFigures figures = paper.play();
  const std::size_t sorting = ceil_of_log2(columns) * (columns + rows) + rows;
  CHECK(steps_of_sorting(figures) == sorting);
  CHECK(figures.steps == sorting + 2 * (rows - 1) + columns - 1);
  CHECK(figures.max_delay == 0);
}

TEST_CASE("shearsort routes a partial permutation", "[permutation]") {
  const PaperCase paper("mesh, sizes: [3, 3]", kXy,
                        "permutation: [8, -1, 6, -1, 0, 4, 3, -1, 1], algorithm: shearsort");
  require_arrival(paper);
  CHECK(paper.play().max_delay == 0);
}

// Sorted, the first two packets, for column 0, and the next one are in column 0, and the last two
// in column 1, which was filled from its end.
TEST_CASE("after shearsort no row has two packets for a column", "[permutation]") {
  const PaperCase paper("mesh, sizes: [3, 3]", kXy,
                        "permutation: [0, 3, 1, 4, 7, -1, -1, -1, -1], algorithm: shearsort");
  require_arrival(paper);
  CHECK(paper.play().max_delay == 0);
}

TEST_CASE("shearsort brings a packet alone to the first node, in all the steps of its formula",
          "[permutation]") {
  const PaperCase paper("mesh, sizes: [3, 3]", kXy,
                        "permutation: [-1, -1, -1, -1, 8, -1, -1, -1, -1], algorithm: shearsort");
  const StepFigures figures = paper.play();
  const std::size_t along_rows = figures.arrival_steps.size() - 2;
  CHECK(figures.arrival_steps[along_rows] == 2);
  CHECK(figures.arrival_steps[along_rows + 1] == 2);
  CHECK(figures.steps == 15 + 2 + 2 + 2);
  CHECK(figures.lower_bound == figures.steps);
}

// The sort takes 56 + 7 + 56 + 16 + 104 + 0 + 16 + 16 steps.
TEST_CASE("the sort of Schnorr and Shamir takes its 271 steps on 16 x 16", "[permutation]") {
  const PaperCase paper("mesh, sizes: [16, 16]", kXy,
                        "permutation: {random: 5}, algorithm: schnorr_shamir");
  require_arrival(paper);
  const StepFigures figures = paper.play();
  CHECK(steps_of_sorting(figures) == 271);
  CHECK(figures.max_delay == 0);
}

TEST_CASE("two phases go over the intermediate nodes that were drawn", "[permutation]") {
  const PaperCase paper("hypercube, dimension: 4", "e_cube",
                        "permutation: transpose, algorithm: two_phase, intermediate_seed: 9");
  require_arrival(paper);
  const PermutationRoute route = make_route(paper.context);
  const DestinationTable over = random_function(9, 16);
  for (const Message& move : route.plan.phases.messages(0)) {
    CHECK(move.to == over[packet_of(move)]);
  }
  const PermutationRoute next =
      make_route(PaperCase("hypercube, dimension: 4", "e_cube",
                           "permutation: transpose, algorithm: two_phase, intermediate_seed: 8", 1)
                     .context);
  for (const Message& move : next.plan.phases.messages(0)) {
    CHECK(move.to == over[packet_of(move)]);
  }
}

TEST_CASE("three phases stay in the interval of rows where a packet starts", "[permutation]") {
  const PaperCase paper("mesh, sizes: [5, 9]", kXy,
                        "permutation: {random: 2}, algorithm: three_phase");
  require_arrival(paper);
  // The paper's instance has floor(log2 9) = 3 intervals of three rows.
  const PermutationRoute route = make_route(paper.context);
  for (const Message& move : route.plan.phases.messages(0)) {
    CHECK(index(move.from) / 5 / 3 == index(move.to) / 5 / 3);
    CHECK(index(move.from) % 5 == index(move.to) % 5);
  }
}

TEST_CASE("an algorithm on the wrong topology is refused with those that work", "[permutation]") {
  const std::string refused =
      refusal_of_route("torus, sizes: [4, 4]", "permutation: tornado, algorithm: off_line");
  INFO(refused);
  CHECK(refused.find("works on meshes of one or two dimensions") != std::string::npos);
  CHECK(refused.find("greedy, dimension_order, two_phase") != std::string::npos);
}

TEST_CASE("sorting and off-line routing refuse two packets for a node", "[permutation]") {
  const char* const algorithm = GENERATE("shearsort", "off_line");
  const std::string refused =
      refusal_of_route("mesh, sizes: [2, 2]", std::string("permutation: {many_to_one: [1, 1, -1, "
                                                          "-1]}, algorithm: ") +
                                                  algorithm);
  CHECK(refused.find("takes complete and partial permutations") != std::string::npos);
}

TEST_CASE("a sort of more rounds than can be kept is refused before it is made", "[permutation]") {
  const std::string refused =
      refusal_of_route("mesh, sizes: [256, 256]", "permutation: {random: 1}, algorithm: shearsort");
  INFO(refused);
  CHECK(refused.find("4352 rounds of 65536 nodes") != std::string::npos);
}

TEST_CASE("schnorr_shamir names the sides that it sorts", "[permutation]") {
  const std::string refused = refusal_of_route(
      "mesh, sizes: [8, 8]", "permutation: {random: 1}, algorithm: schnorr_shamir");
  INFO(refused);
  CHECK(refused.find("use mesh 1x1 or 16x16") != std::string::npos);
}

TEST_CASE("every algorithm takes every packet where it goes, on topologies that it accepts",
          "[permutation]") {
  const std::vector<std::pair<std::string, std::string>> networks{
      {"mesh, sizes: [6]", kXy},
      {"mesh, sizes: [1, 1]", kXy},
      {"mesh, sizes: [16, 16]", kXy},
      {"mesh, sizes: [2, 3, 4]", kXy},
      {"torus, sizes: [4, 5]", kXy},
      {"hypercube, dimension: 0", "e_cube"},
      {"hypercube, dimension: 5", "e_cube"},
      {"butterfly, arity: 2, stages: 4", "destination_tag"},
      {"fat_tree, arity: 3, levels: 3", "d_mod_k"},
      {"fat_tree, arity: 2, levels: 4", "nearest_common_ancestor"},
      {"folded_clos, nodes: 3, leaves: 4, spines: 4", "nearest_common_ancestor"}};
  for (const AlgorithmEntry& entry : permutation_algorithms()) {
    int accepted = 0;
    for (const auto& [topology, routing] : networks) {
      CAPTURE(entry.name, topology);
      const PaperCase paper(topology, routing,
                            "permutation: {random: 3}, algorithm: " + entry.name);
      const bool fits = entry.routings.empty() ||
                        std::count(entry.routings.begin(), entry.routings.end(), routing) > 0;
      if (!entry.accepts(*paper.network) || !fits) continue;
      if (refusal_of_route(topology, "permutation: {random: 3}, algorithm: " + entry.name)
              .find("n = q^4") != std::string::npos) {
        continue;
      }
      require_arrival(paper);
      CHECK(paper.play().steps >= paper.play().congestion);
      ++accepted;
    }
    CHECK(accepted > 0);
    CHECK_FALSE(entry.summary.empty());
  }
}
