// SPDX-License-Identifier: Apache-2.0
// The catalog of algorithms, those that take one phase, and what all share.
#include <fmt/format.h>

#include <algorithm>

#include "permutation/algorithm.h"
#include "routing/catalog.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

// Defined beside the routings.
RoutingEntry destination_tag_routing();
RoutingEntry dimension_order_routing();
RoutingEntry e_cube_routing();

AlgorithmEntry off_line_algorithm();
AlgorithmEntry schnorr_shamir_algorithm();
AlgorithmEntry shearsort_algorithm();
AlgorithmEntry three_phase_algorithm();
AlgorithmEntry two_phase_algorithm();

bool is_plane_mesh(const Topology& topology) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr || grid->dimensions() > 2) return false;
  for (std::size_t d = 0; d < grid->dimensions(); ++d) {
    if (grid->wraps(d)) return false;
  }
  return true;
}

MeshShape mesh_shape(const Topology& topology) {
  const std::vector<std::size_t> sizes = topology.node_grid();
  return {sizes[0], sizes.size() > 1 ? sizes[1] : 1};
}

bool one_per_source(const Instance& packets) {
  std::vector<NodeId> nodes = sources_of(packets);
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

bool one_per_destination(const Instance& packets) {
  std::vector<NodeId> nodes = destinations_of(packets);
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

void require_permutation(const Section& workload, const Instance& packets) {
  if (one_per_source(packets) && one_per_destination(packets)) return;
  workload.fail("algorithm",
                workload.text("algorithm") +
                    " takes complete and partial permutations, and here a node sends or receives "
                    "several packets",
                "choose another workload.permutation, or another algorithm");
}

MovePhase phase_to(std::vector<NodeId>& at, const std::vector<NodeId>& to, std::size_t steps) {
  MovePhase phase;
  phase.steps = steps;
  for (std::uint32_t p = 0; p < at.size(); ++p) phase.moves.push_back({p, at[p], to[p]});
  at = to;
  return phase;
}

std::vector<NodeId> sources_of(const Instance& packets) {
  std::vector<NodeId> nodes;
  for (const Transfer& packet : packets) nodes.push_back(packet.from);
  return nodes;
}

std::vector<NodeId> destinations_of(const Instance& packets) {
  std::vector<NodeId> nodes;
  for (const Transfer& packet : packets) nodes.push_back(packet.to);
  return nodes;
}

namespace {

std::vector<MovePhase> at_once(const Section&, const AlgorithmContext& context) {
  std::vector<NodeId> at = sources_of(context.packets);
  return {phase_to(at, destinations_of(context.packets))};
}

// Proved for lines, where sources may have several packets, and for planes; claimed in the notes
// for all.
std::vector<PermutationClaim> grid_claims(const AlgorithmContext& context) {
  const auto& grid = dynamic_cast<const Grid&>(context.topology);
  std::size_t most = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (grid.wraps(d)) return {};
    most += grid.size(d) - 1;
  }
  if (!one_per_destination(context.packets)) return {};
  const bool single = one_per_source(context.packets);
  if (!single && grid.dimensions() > 1) return {};
  return {{PermutationClaim::About::kSteps, static_cast<double>(most),
           fmt::format("dimension order takes at most {} steps, the diameter", most),
           grid.dimensions() <= 2}};
}

AlgorithmEntry greedy() {
  return {{"greedy", "Every packet at once, along the way that `routing` says.", {}, at_once},
          accepts<Topology>(),
          "all topologies"};
}

AlgorithmEntry dimension_order() {
  return {{dimension_order_routing().name,
           "On mesh, torus and ring: every packet at once, one dimension after the other.",
           {},
           at_once},
          accepts<Grid>(),
          "meshes, tori and rings",
          {dimension_order_routing().name},
          "farthest_first",
          grid_claims};
}

AlgorithmEntry bit_fixing() {
  return {{"bit_fixing",
           "On hypercubes: every packet at once, one differing bit after the other.",
           {},
           at_once},
          accepts<Hypercube>(),
          "hypercubes",
          {e_cube_routing().name}};
}

AlgorithmEntry one_pass() {
  return {{"one_pass",
           "On butterflies: every packet at once, each stage follows a digit of its destination.",
           {},
           at_once},
          accepts<Butterfly>(),
          "butterflies",
          {destination_tag_routing().name}};
}

}  // namespace

Catalog<AlgorithmEntry>& permutation_algorithms() {
  static Catalog<AlgorithmEntry> catalog{
      greedy(),
      dimension_order(),
      bit_fixing(),
      one_pass(),
      two_phase_algorithm(),
      three_phase_algorithm(),
      off_line_algorithm(),
      shearsort_algorithm(),
      schnorr_shamir_algorithm(),
  };
  return catalog;
}

}  // namespace flitcast
