// SPDX-License-Identifier: Apache-2.0
// Routing over random intermediate nodes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

std::uint64_t draw_seed(const Section& workload, const AlgorithmContext& context) {
  return static_cast<std::uint64_t>(workload.integer("intermediate_seed")) + context.run;
}

Param seed_param() {
  return Param::integer("intermediate_seed", "",
                        "From which the intermediate nodes are drawn; repetition r adds r to it.",
                        0, kLargestSeed)
      .defaults_to(1);
}

// Draws an intermediate node for each source place, or for each packet if a source has several
// packets.
std::vector<NodeId> intermediates(const Section& workload, const AlgorithmContext& context) {
  const std::uint64_t seed = draw_seed(workload, context);
  const std::size_t places = context.ends.size();
  const bool by_place = one_per_source(context.packets);
  const DestinationTable table = workload.text("intermediates") == "permutation"
                                     ? random_permutation(seed, places)
                                     : random_function(seed, places);
  std::vector<NodeId> nodes;
  Random random(seed);
  for (const Transfer& packet : context.packets) {
    const auto place = static_cast<std::size_t>(
        std::lower_bound(context.ends.begin(), context.ends.end(), packet.from) -
        context.ends.begin());
    nodes.push_back(context.ends[by_place ? index(table[place]) : random.next() % places]);
  }
  return nodes;
}

/// Valiant's scheme: every packet goes to a random node, then to its destination. Source: L. G.
/// Valiant and G. J. Brebner, "Universal Schemes for Parallel Communication", STOC 1981.
MovePlan over_intermediates(const Section& workload, const AlgorithmContext& context) {
  return phases_over(context.packets, {intermediates(workload, context)},
                     {"to random nodes", "to the destinations"});
}

// A Chernoff bound limits the probability that some packet takes more steps to 2 * 2^(-1.5n); the
// notes print "none" for "some".
std::vector<PermutationClaim> cube_claims(const AlgorithmContext& context) {
  const auto* cube = dynamic_cast<const Hypercube*>(&context.topology);
  if (cube == nullptr || !one_per_source(context.packets)) return {};
  const auto n = static_cast<double>(cube->dimension());
  return {
      {&StepFigures::longest_phase, 4 * n,
       fmt::format("a phase takes at most 4n = {:g} steps", 4 * n)},
      {&StepFigures::steps, 8 * n, fmt::format("both phases take at most 8n = {:g} steps", 8 * n)}};
}

/// Every packet goes to a random row of its interval of rows, along that row to the column of its
/// destination, and along that column. Source: Leighton (1992), section 1.7; CS838 lecture notes
/// (1999), section 9.
MovePlan over_rows(const Section& workload, const AlgorithmContext& context) {
  const MeshShape mesh = mesh_shape(context.topology);
  const std::size_t intervals = std::max<std::size_t>(1, bit_count(mesh.rows));
  Random random(draw_seed(workload, context));
  std::vector<NodeId> rows;
  std::vector<NodeId> columns;
  for (const Transfer& packet : context.packets) {
    // The interval of a row is the last one whose first row is not above it.
    std::size_t interval = intervals - 1;
    while (interval * mesh.rows / intervals > mesh.row(packet.from)) --interval;
    const std::size_t first = interval * mesh.rows / intervals;
    const std::size_t end = (interval + 1) * mesh.rows / intervals;
    const std::size_t row = first + random.next() % (end - first);
    rows.push_back(mesh.node(mesh.column(packet.from), row));
    columns.push_back(mesh.node(mesh.column(packet.to), row));
  }
  return phases_over(context.packets, {rows, columns},
                     {"to random rows", "along rows", "along columns"});
}

std::vector<PermutationClaim> square_claims(const AlgorithmContext& context) {
  const MeshShape mesh = mesh_shape(context.topology);
  if (mesh.columns != mesh.rows || mesh.rows < 8 || !one_per_destination(context.packets))
    return {};
  const auto n = static_cast<double>(mesh.rows);
  const double steps = 2 * n + 4 * n / std::log2(n);
  const double queue = 3 * std::log2(n);
  return {
      {&StepFigures::steps, steps, fmt::format("at most 2n + 4n / log2 n = {:.1f} steps", steps)},
      {&StepFigures::max_queue, queue,
       fmt::format("queues of at most 3 log2 n = {:.1f} packets", queue)}};
}

}  // namespace

std::vector<AlgorithmEntry> randomised_algorithms() {
  return {{{"two_phase",
            "To random intermediate nodes, and when all are there to the destinations: bit fixing, "
            "dimension order or two passes of a butterfly.",
            {Param::choice("intermediates",
                           "function: each packet draws its own; permutation: no two share one.",
                           {"function", "permutation"}),
             seed_param()},
            over_intermediates},
           accepts<Hypercube, Grid, Butterfly>(),
           "hypercubes, meshes, tori, rings and butterflies",
           {kECube, kDimensionOrder, kDestinationTag},
           "fifo",
           cube_claims},
          on_plane_meshes(
              {"three_phase",
               "On meshes of one or two dimensions: to a random row of its one of floor(log2 rows) "
               "intervals, along it, along the column of the destination.",
               {seed_param()},
               over_rows},
              square_claims)};
}

}  // namespace flitcast
