// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes by sorting.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "collective/cost.h"
#include "sim/claims/mesh_trial.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

// Sorting. The last three phases of a plan reverse columns, move along rows and along columns; all
// phases before them sort.

std::size_t sorting_steps(const std::vector<std::size_t>& phases) {
  return std::accumulate(phases.begin(), phases.end() - 3, std::size_t{0});
}

/// The steps of shearsort on blocks of `rows` rows.
std::size_t block_steps(std::size_t rows, std::size_t columns) {
  return ceil_log(2, rows) * (rows + columns) + columns;
}

/// The steps of its parts on q^4 x q^4: sort blocks, unshuffle, sort blocks, sort columns, sort
/// pairs of blocks twice, sort rows, and 2 q^3 steps along the snake.
std::vector<std::size_t> schnorr_shamir_parts(std::size_t q) {
  const std::size_t b = q * q * q;
  const std::size_t block = block_steps(b, b);
  const std::size_t pair = block_steps(2 * b, b);
  return {block, (q - 1) * (b - 1), block, q * b, q < 2 ? 0 : pair, q < 3 ? 0 : pair, q * b, 2 * b};
}

std::size_t sum_of_parts(const std::vector<std::size_t>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0});
}

/// The steps of a sort: on a mesh with n columns and m rows, shearsort has n rows of m nodes.
std::size_t sorting_steps_by_formula(const std::string& algorithm, const MeshShape& mesh) {
  if (algorithm == "shearsort") return block_steps(mesh.columns, mesh.rows);
  std::size_t q = 1;
  while (q * q * q * q < mesh.rows) ++q;
  return sum_of_parts(schnorr_shamir_parts(q));
}

/// How packets stand between the phases of routing by sorting.
struct SortedOrder {
  std::vector<std::size_t> groups;  ///< By destination column: its packets.
  std::size_t scattered = 0;        ///< Groups that are not in consecutive cells of the snake.
  std::size_t in_rows = 0;     ///< Second packets for a destination column, in rows before phase 3.
  std::size_t in_columns = 0;  ///< Second packets for a row, in columns before phase 4.
};

/// The place of a node in the snake that goes down the first column, up the second, and so on.
std::size_t place_in_snake(const MeshShape& mesh, NodeId node) {
  const std::size_t x = mesh.column(node);
  return x * mesh.rows + (x % 2 == 0 ? mesh.row(node) : mesh.rows - 1 - mesh.row(node));
}

SortedOrder sorted_order(const MeshShape& mesh, const Instance& packets, const Schedule& phases) {
  SortedOrder order;
  std::map<std::size_t, std::vector<std::size_t>> places;  // By destination column, in the snake.
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const std::size_t last = phases.rounds() - 1;
  for (const Message& move : phases.messages(last - 2)) {
    places[mesh.column(packets[packet_of(move)].to)].push_back(place_in_snake(mesh, move.from));
  }
  for (auto& [column, group] : places) {
    const auto [first, end] = std::minmax_element(group.begin(), group.end());
    if (*end - *first + 1 != group.size()) ++order.scattered;
    order.groups.push_back(group.size());
  }
  for (const Message& move : phases.messages(last - 1)) {
    const std::size_t column = mesh.column(packets[packet_of(move)].to);
    if (!seen.emplace(mesh.row(move.from), column).second) ++order.in_rows;
  }
  seen.clear();
  for (const Message& move : phases.messages(last)) {
    if (!seen.emplace(mesh.column(move.from), mesh.row(move.to)).second) ++order.in_columns;
  }
  return order;
}

/// The mesh at the start and after each phase of routing by sorting, side by side; every packet has
/// the colour of its destination's column and the number of its destination's row.
std::string drawing_of_phases(const MeshShape& mesh, const Instance& packets,
                              const Schedule& phases) {
  Drawing drawing;
  std::size_t grids = 0;
  const auto add = [&](NodeId at, const Transfer& packet) {
    const std::size_t x = grids * (mesh.columns + 1) + mesh.column(at);
    drawing.node({static_cast<double>(x), static_cast<double>(mesh.row(at))},
                 std::to_string(mesh.row(packet.to)), mesh.column(packet.to));
  };
  for (const Transfer& packet : packets) add(packet.from, packet);
  for (std::size_t phase = phases.rounds() - 3; phase < phases.rounds(); ++phase) {
    ++grids;
    for (const Message& move : phases.messages(phase)) add(move.from, packets[packet_of(move)]);
  }
  ++grids;
  for (const Transfer& packet : packets) add(packet.to, packet);
  return drawing.svg("packets at the start and after each of the four phases");
}

Figures sorted_route(const Section& parameters) {
  const std::vector<std::size_t> sizes = plane_of(parameters);
  const MeshShape shape{sizes[0], sizes[1]};
  const std::string& algorithm = parameters.text("algorithm");
  MeshTrial trial(sizes, algorithm);
  SortedOrder all;
  Instance last;
  for_each_instance(parameters, sizes, [&](const Instance& packets) {
    const SortedOrder order = sorted_order(shape, packets, trial.plan(packets).phases);
    all.groups = order.groups;
    all.scattered += order.scattered;
    all.in_rows += order.in_rows;
    all.in_columns += order.in_columns;
  });
  Figures figures = play_instances(trial, parameters, last);
  ordered_json& values = figures.values;
  const std::vector<std::size_t> phases = values["phases"];
  values.erase("phases");
  const std::size_t sorted = sorting_steps(phases);
  values.update({{"s", sorted},
                 {"s_by_formula", sorting_steps_by_formula(algorithm, shape)},
                 {"rest", sum_of_parts(phases) - sorted},
                 {"phase_2", phases.end()[-3]},
                 {"phase_3", phases.end()[-2]},
                 {"phase_4", phases.end()[-1]},
                 {"groups", all.groups},
                 {"scattered", all.scattered},
                 {"violations", all.in_rows},
                 {"column_violations", all.in_columns}});
  if (sizes[0] == 16 && sizes[1] == 16) {
    const MeshRun other = MeshTrial(sizes, "schnorr_shamir").play(last);
    values["schnorr_shamir_s"] = sorting_steps(other.phases);
    values["schnorr_shamir_T"] = other.steps;
  }
  if (values["instances"] > 1 || last.size() > kMostNodesDrawn) return figures;
  figures.drawings.push_back(drawing_of_phases(shape, last, trial.plan(last).phases));
  return figures;
}

// The sort of Schnorr and Shamir.

/// The steps of the parts in a run: all have one step a round, but the unshuffle is one round.
std::vector<std::size_t> schnorr_shamir_parts_run(const MeshRun& run, std::size_t q) {
  std::vector<std::size_t> parts;
  std::size_t round = 0;
  for (const std::size_t steps : schnorr_shamir_parts(q)) {
    const std::size_t end = parts.size() == 1 ? round + 1 : round + steps;
    std::size_t part = 0;
    for (; round < std::min(end, run.phases.size() - 3); ++round) part += run.phases[round];
    parts.push_back(part);
  }
  return parts;
}

/// A run of the sort for n = 16 and 81, the steps of its parts for other n = q^4, and how they grow
/// from q = 2 to 8.
Figures schnorr_shamir(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  std::size_t q = 2;
  while (q * q * q * q < n) ++q;
  if (q * q * q * q != n) {
    parameters.fail("n", fmt::format("{} is no fourth power from 16 on", n),
                    "take 16, 81, 256, 625, ...");
  }
  constexpr std::size_t kMostSideRun = 81;
  std::vector<std::size_t> parts = schnorr_shamir_parts(q);
  std::size_t steps = sum_of_parts(parts) + 3 * (n - 1);
  if (n <= kMostSideRun) {
    const MeshRun run = MeshTrial({n, n}, "schnorr_shamir")
                            .play(instance_of(random_permutation(parameters.count("seed"), n * n)));
    parts = schnorr_shamir_parts_run(run, q);
    steps = run.steps;
  }
  ordered_json sides = ordered_json::array();
  ordered_json growth = ordered_json::array();
  ordered_json shearsort = ordered_json::array();
  for (std::size_t root = 2; root <= 8; ++root) {
    const std::size_t side = root * root * root * root;
    sides.push_back(side);
    growth.push_back(sum_of_parts(schnorr_shamir_parts(root)));
    shearsort.push_back(block_steps(side, side));
  }
  return {{{"s", sum_of_parts(parts)},
           {"parts", parts},
           {"by_formula", schnorr_shamir_parts(q)},
           {"T", steps},
           {"ran", n <= kMostSideRun},
           {"sides", sides},
           {"s_of_sides", growth},
           {"shearsort", shearsort}}};
}

}  // namespace

std::vector<Machine> sorting_machines() {
  return {
      {"sorted_route", "Permutations by sorting.",
       with_instances(plane_keys(64, {Param::choice("algorithm", "The sort.",
                                                    {"shearsort", "schnorr_shamir"})}),
                      {"random", "all", "point_reflection", "transposition", "worst_buffer"}),
       sorted_route},
      {"schnorr_shamir",
       "The sort of Schnorr and Shamir.",
       {Param::integer("n", "", "Nodes of a side.", 2, 65536),
        Param::integer("seed", "", "Seed.", 0, 1e9).defaults_to(1)},
       schnorr_shamir},
  };
}

}  // namespace flitcast::claims
