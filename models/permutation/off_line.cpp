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

// The lines along which the first phase moves packets: the columns of the mesh, or its rows if
// there are more rows than columns.
class MeshLines {
 public:
  explicit MeshLines(const MeshShape& mesh) : mesh_(mesh), columns_(mesh.rows <= mesh.columns) {}

  /// The names of the phases.
  std::vector<std::string> phases() const {
    if (columns_) return {"within columns", "within rows", "within columns"};
    return {"within rows", "within columns", "within rows"};
  }
  std::size_t count() const { return columns_ ? mesh_.columns : mesh_.rows; }
  std::size_t length() const { return columns_ ? mesh_.rows : mesh_.columns; }
  std::size_t line(NodeId node) const { return columns_ ? mesh_.column(node) : mesh_.row(node); }
  NodeId node(std::size_t line, std::size_t place) const {
    return columns_ ? mesh_.node(line, place) : mesh_.node(place, line);
  }

 private:
  const MeshShape mesh_;
  const bool columns_;
};

// An edge for each packet, from the line of its source to the line of its destination; every line
// has as many edges as places.
std::vector<BipartiteEdge> edges_of(const Instance& packets, const MeshLines& lines,
                                    std::size_t nodes) {
  return mapped(completed(packets, nodes), [&](const Transfer& packet) {
    return BipartiteEdge{static_cast<std::uint32_t>(lines.line(packet.from)),
                         static_cast<std::uint32_t>(lines.line(packet.to))};
  });
}

/// The colour of a packet is the place at which it changes from one line to the other.
/// Source: CS838 lecture notes (1999), section 9; Annexstein and Baumslag, "A Unified Approach to
/// Off-Line Permutation Routing on Parallel Networks", SPAA 1990.
MovePlan coloured(const Section& workload, const AlgorithmContext& context) {
  require(workload, "algorithm", is_permutation(workload, context.packets));
  const MeshLines lines(mesh_shape(context.topology));
  const std::vector<BipartiteEdge> edges =
      edges_of(context.packets, lines, context.topology.node_count());
  const auto colour = workload.text("colouring") == "alternating_paths"
                          ? colour_by_alternating_paths(lines.count(), lines.length(), edges)
                          : colour_by_euler_split(lines.count(), lines.length(), edges);
  std::vector<NodeId> leave;
  std::vector<NodeId> enter;
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    leave.push_back(lines.node(lines.line(context.packets[p].from), colour[p]));
    enter.push_back(lines.node(lines.line(context.packets[p].to), colour[p]));
  }
  return phases_over(context.packets, {leave, enter}, lines.phases());
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
