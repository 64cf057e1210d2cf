// SPDX-License-Identifier: Apache-2.0
// Off-line routing in three phases, each of which permutes the packets of every line.
#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"
#include "collective/edge_colouring.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"

namespace flitcast {

namespace {

/// The colour of a packet is the place at which it changes from one line to the other.
/// Source: CS838 lecture notes (1999), section 9; Annexstein and Baumslag, "A Unified Approach to
/// Off-Line Permutation Routing on Parallel Networks", SPAA 1990.
MovePlan coloured(const Section& workload, const AlgorithmContext& context) {
  require(workload, "algorithm", is_permutation(workload, context.packets));
  const MeshShape mesh = mesh_shape(context.topology);
  // The first phase moves packets along the columns, or along the rows if there are more of them.
  const bool columns = mesh.rows <= mesh.columns;
  const auto line = [&](NodeId node) { return columns ? mesh.column(node) : mesh.row(node); };
  // An edge for each packet; every line has as many edges as places.
  const Instance all = completed(context.packets, context.topology.node_count());
  const std::vector<BipartiteEdge> edges = mapped(all, [&](const Transfer& packet) {
    return BipartiteEdge{static_cast<std::uint32_t>(line(packet.from)),
                         static_cast<std::uint32_t>(line(packet.to))};
  });
  const auto colour_by = workload.text("colouring") == "alternating_paths"
                             ? colour_by_alternating_paths
                             : colour_by_euler_split;
  const auto [length, count] = std::minmax(mesh.rows, mesh.columns);
  const std::vector<std::uint32_t> colours = colour_by(count, length, edges);
  const auto stops = [&](NodeId Transfer::*end) {
    return tabulated(context.packets.size(), [&](std::size_t p) {
      const NodeId node = context.packets[p].*end;
      return columns ? mesh.node(line(node), colours[p]) : mesh.node(colours[p], line(node));
    });
  };
  const std::string along = columns ? "within columns" : "within rows";
  const std::string across = columns ? "within rows" : "within columns";
  return phases_over(context.packets, {stops(&Transfer::from), stops(&Transfer::to)},
                     {along, across, along});
}

std::vector<PermutationClaim> off_line_claims(const AlgorithmContext& context) {
  const MeshShape mesh = mesh_shape(context.topology);
  const std::size_t steps =
      mesh.rows - 1 + mesh.columns - 1 + std::min(mesh.rows, mesh.columns) - 1;
  return {{&StepFigures::steps, static_cast<double>(steps),
           fmt::format("three phases along lines take at most {} steps", steps), true},
          {&StepFigures::max_delay, 0, "no packet waits for another", true},
          {&StepFigures::max_queue, 1, "queues of one packet", true}};
}

}  // namespace

AlgorithmEntry off_line_algorithm() {
  return on_plane_meshes(
      {"off_line",
       "On meshes of one or two dimensions: three phases, computed beforehand, in which no "
       "packet waits for another.",
       {Param::choice("colouring",
                      "How edges between lines get their colours: Euler circuits, or perfect "
                      "matchings along alternating paths.",
                      {"euler_split", "alternating_paths"})},
       coloured},
      off_line_claims);
}

}  // namespace flitcast
