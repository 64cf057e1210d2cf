// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes by sorting. The last three phases of a
// plan reverse columns, move along rows and along columns; all phases before them sort.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "sim/claims/statement.h"
#include "sim/claims/step_trial.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

/// The steps of the parts of the sort of Schnorr and Shamir on q^4 x q^4: sort blocks, unshuffle,
/// sort blocks, sort columns, sort pairs of blocks twice, sort rows, and 2 q^3 steps along the
/// snake.
std::vector<std::size_t> schnorr_shamir_parts(std::size_t q) {
  const std::size_t b = q * q * q;
  const std::size_t block = shearsort_rounds(b, b);
  const std::size_t pair = shearsort_rounds(2 * b, b);
  return {block, (q - 1) * (b - 1), block, q * b, q < 2 ? 0 : pair, q < 3 ? 0 : pair, q * b, 2 * b};
}

/// The least q with q^4 >= n.
std::size_t fourth_root_of(std::size_t n) {
  std::size_t q = 1;
  while (q * q * q * q < n) ++q;
  return q;
}

/// The order of packets between the phases of routing by sorting.
struct SortedOrder {
  std::vector<std::size_t> groups;  ///< By destination column: its packets, in the last instance.
  std::size_t scattered = 0;        ///< Groups that are not in consecutive cells of the snake.
  std::size_t in_rows =
      0;  ///< Packets after the first per row and destination column, before phase 3.
  std::size_t in_columns =
      0;  ///< Packets after the first per column and destination row, before phase 4.
};

/// The place of a node in the snake that goes down the first column, up the second, and so on.
std::size_t place_in_snake(const MeshShape& mesh, NodeId node) {
  const std::size_t x = mesh.column(node);
  return x * mesh.rows + (x % 2 == 0 ? mesh.row(node) : mesh.rows - 1 - mesh.row(node));
}

void add_order(const MeshShape& mesh, const Instance& packets, const Schedule& phases,
               SortedOrder& order) {
  const std::size_t last = phases.rounds() - 1;
  const auto target = [&](const Message& move) { return packets[packet_of(move)].to; };
  std::map<std::size_t, std::vector<std::size_t>> places;  // By destination column, in the snake.
  for (const Message& move : phases.messages(last - 2)) {
    places[mesh.column(target(move))].push_back(place_in_snake(mesh, move.from));
  }
  order.groups.clear();
  for (auto& [column, group] : places) {
    const auto [first, end] = std::minmax_element(group.begin(), group.end());
    if (*end - *first + 1 != group.size()) ++order.scattered;
    order.groups.push_back(group.size());
  }
  std::set<std::pair<std::size_t, std::size_t>> in_rows;
  for (const Message& move : phases.messages(last - 1)) {
    if (!in_rows.emplace(mesh.row(move.from), mesh.column(target(move))).second) ++order.in_rows;
  }
  std::set<std::pair<std::size_t, std::size_t>> in_columns;
  for (const Message& move : phases.messages(last)) {
    if (!in_columns.emplace(mesh.column(move.from), mesh.row(move.to)).second) ++order.in_columns;
  }
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
  StepTrial trial(mesh_name(sizes), "algorithm: " + algorithm);
  SortedOrder order;
  Figures figures = play_instances(trial, parameters, [&](const Instance& packets) {
    add_order(shape, packets, trial.plan(packets).phases, order);
  });
  ordered_json& values = figures.values;
  std::vector<std::size_t> phases = values["phases"];
  for (const char* name : {"phase_4", "phase_3", "phase_2"}) {
    values[name] = phases.back();
    phases.pop_back();
  }
  values.erase("phases");
  // Shearsort sorts the mesh turned, with `columns` rows.
  values.update({{"s", sum_of<std::size_t>(phases)},
                 {"s_by_formula",
                  algorithm == "shearsort"
                      ? shearsort_rounds(shape.columns, shape.rows)
                      : sum_of<std::size_t>(schnorr_shamir_parts(fourth_root_of(shape.rows)))},
                 {"groups", order.groups},
                 {"scattered", order.scattered},
                 {"violations", order.in_rows},
                 {"column_violations", order.in_columns}});
  if (sizes[0] == 16 && sizes[1] == 16) {
    const StepFigures other =
        StepTrial(mesh_name(sizes), "algorithm: schnorr_shamir").play(trial.packets());
    values["schnorr_shamir_T"] = other.steps;
    values["schnorr_shamir_s"] =
        other.steps -
        std::accumulate(other.phase_steps.end() - 3, other.phase_steps.end(), std::size_t{0});
  }
  if (values["instances"] == 1 && trial.packets().size() <= kMostNodesDrawn) {
    figures.drawings.push_back(
        drawing_of_phases(shape, trial.packets(), trial.plan(trial.packets()).phases));
  }
  return figures;
}

// The sort of Schnorr and Shamir.

/// The steps of the parts in a run: all have one step a round, but the unshuffle is one round.
std::vector<std::size_t> parts_of_run(const std::vector<std::size_t>& rounds, std::size_t q) {
  std::vector<std::size_t> parts;
  auto at = rounds.begin();
  for (const std::size_t steps : schnorr_shamir_parts(q)) {
    const std::size_t left = static_cast<std::size_t>(rounds.end() - at) - 3;
    const auto end =
        at + static_cast<std::ptrdiff_t>(std::min(parts.size() == 1 ? 1 : steps, left));
    parts.push_back(std::accumulate(at, end, std::size_t{0}));
    at = end;
  }
  return parts;
}

/// A run of the sort for n = 16 and 81, the steps of its parts for other n = q^4, and their sums
/// from q = 2 to 8.
Figures schnorr_shamir(const Section& parameters) {
  constexpr std::size_t kMostSideRun = 81;
  const std::size_t n = parameters.count("n");
  const std::size_t q = fourth_root_of(n);
  std::vector<std::size_t> parts = schnorr_shamir_parts(q);
  std::size_t steps = sum_of<std::size_t>(parts) + 3 * (n - 1);
  if (n <= kMostSideRun) {
    const StepFigures run =
        StepTrial(mesh_name({n, n}), "algorithm: schnorr_shamir")
            .play(instance_of(random_permutation(parameters.count("seed"), n * n)));
    parts = parts_of_run(run.phase_steps, q);
    steps = run.steps;
  }
  const auto sums = mapped(numbers(2, std::size_t{9}), [](std::size_t root) {
    return sum_of<std::size_t>(schnorr_shamir_parts(root));
  });
  return {{{"s", sum_of<std::size_t>(parts)},
           {"parts", parts},
           {"by_formula", schnorr_shamir_parts(q)},
           {"T", steps},
           {"ran", n <= kMostSideRun},
           {"s_of_sides", sums}}};
}

}  // namespace

FigureMakers sorting_makers() {
  return {{"sorted_route", sorted_route}, {"schnorr_shamir", schnorr_shamir}};
}

}  // namespace flitcast::claims
