// SPDX-License-Identifier: Apache-2.0
// The catalog of algorithms, those of one phase, and functions that all share.
#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

// The other entries are defined in the files of their algorithms.
std::vector<AlgorithmEntry> randomised_algorithms();
AlgorithmEntry off_line_algorithm();
std::vector<AlgorithmEntry> sorting_algorithms();
std::vector<AlgorithmEntry> tree_ascent_algorithms();

AlgorithmEntry on_plane_meshes(CatalogEntry<AlgorithmMaker> entry,
                               std::vector<PermutationClaim> (*claims)(const AlgorithmContext&)) {
  return {std::move(entry),  is_row_of_columns, "meshes of one or two dimensions",
          {kDimensionOrder}, "farthest_first",  claims};
}

MeshShape mesh_shape(const Topology& topology) {
  const std::vector<std::size_t> sizes = topology.node_grid();
  return {sizes[0], sizes.size() > 1 ? sizes[1] : 1};
}

namespace {

// True if no two packets have the same node at this end.
bool all_apart(const Instance& packets, NodeId Transfer::*end) {
  std::vector<NodeId> nodes = mapped(packets, [&](const Transfer& packet) { return packet.*end; });
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

}  // namespace

bool one_per_source(const Instance& packets) { return all_apart(packets, &Transfer::from); }
bool one_per_destination(const Instance& packets) { return all_apart(packets, &Transfer::to); }

Precondition is_permutation(const Section& workload, const Instance& packets) {
  if (one_per_source(packets) && one_per_destination(packets)) return {};
  return violated(workload.text("algorithm") +
                      " takes complete and partial permutations, and here a node sends or "
                      "receives several packets",
                  "choose another workload.permutation, or another algorithm");
}

Instance completed(const Instance& packets, std::size_t nodes) {
  std::vector<bool> sends(nodes);
  std::vector<bool> receives(nodes);
  for (const Transfer& packet : packets) {
    sends[index(packet.from)] = true;
    receives[index(packet.to)] = true;
  }
  Instance all = packets;
  std::uint32_t to = 0;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    if (sends[from]) continue;
    while (receives[to]) ++to;
    all.push_back({NodeId{from}, NodeId{to++}});
  }
  return all;
}

MovePlan phases_over(const Instance& packets, const std::vector<std::vector<NodeId>>& stops,
                     const std::vector<std::string>& names) {
  MovePlan plan;
  for (std::size_t phase = 0; phase <= stops.size(); ++phase) {
    if (!names.empty()) plan.phases.begin_phase(names[phase]);
    plan.phases.begin_round();
    for (std::uint32_t p = 0; p < packets.size(); ++p) {
      plan.phases.add(phase == 0 ? packets[p].from : stops[phase - 1][p],
                      phase < stops.size() ? stops[phase][p] : packets[p].to, ChunkId{p});
    }
  }
  return plan;
}

MovePlan at_once(const Section&, const AlgorithmContext& context) {
  return phases_over(context.packets, {});
}

namespace {

// The bound is proved for lines, where sources may have several packets, and for planes; the notes
// claim it for all dimensions.
std::vector<PermutationClaim> grid_claims(const AlgorithmContext& context) {
  const auto& grid = dynamic_cast<const Grid&>(context.topology);
  if (grid.wraps() || !one_per_destination(context.packets)) return {};
  const auto most = sum_of<std::size_t>(numbers(grid.dimensions()),
                                        [&](std::size_t d) { return grid.size(d) - 1; });
  const bool single = one_per_source(context.packets);
  if (!single && grid.dimensions() > 1) return {};
  return {{&StepFigures::steps, static_cast<double>(most),
           fmt::format("dimension order takes at most {} steps, the diameter", most),
           grid.dimensions() <= 2}};
}

}  // namespace

Catalog<AlgorithmEntry>& permutation_algorithms() {
  static Catalog<AlgorithmEntry> catalog = catalog_of<AlgorithmEntry>({
      {{{"greedy", "Every packet at once, along the path that `routing` gives.", {}, at_once},
        accepts<Topology>(),
        "all topologies"},
       {{kDimensionOrder,
         "On mesh, torus and ring: every packet at once, one dimension after the other.",
         {},
         at_once},
        accepts<Grid>(),
        "meshes, tori and rings",
        {kDimensionOrder},
        "farthest_first",
        grid_claims},
       {{"bit_fixing",
         "On hypercubes: every packet at once, one differing bit after the other.",
         {},
         at_once},
        accepts<Hypercube>(),
        "hypercubes",
        {kECube}},
       {{"one_pass",
         "On butterflies: every packet at once, each stage follows a digit of its destination.",
         {},
         at_once},
        accepts<Butterfly>(),
        "butterflies",
        {kDestinationTag}}},
      randomised_algorithms(),
      {off_line_algorithm()},
      sorting_algorithms(),
      tree_ascent_algorithms(),
  });
  return catalog;
}

}  // namespace flitcast
