// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "collective/catalog.h"
#include "collective/gossip/trail_gossip.h"
#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

// The nearest pairs of sizes with at least one even size; the given pair if it has one.
std::vector<Sizes> with_one_even(const Sizes& sizes) {
  const std::size_t rows = sizes[0];
  const std::size_t columns = sizes[1];
  if (rows % 2 == 0 || columns % 2 == 0) return {sizes};
  std::vector<Sizes> choices;
  if (rows > 3) choices.push_back({rows - 1, columns});
  choices.push_back({rows + 1, columns});
  if (columns > 3) choices.push_back({rows, columns - 1});
  choices.push_back({rows, columns + 1});
  return choices;
}

// The dimension along which rows are counted, which has an even size.
std::size_t row_dimension(const Grid& torus) {
  const std::string what = "gossip along zigzag cycles";
  require(in_two_dimensions(torus, what));
  const std::vector<Sizes> nearest = with_one_even(raised_to_three(torus));
  require(on_torus(torus, what, nearest));
  if (torus.size(0) % 2 == 0) return 0;
  if (torus.size(1) % 2 == 0) return 1;
  throw *violated(what + " needs an even size, and " + torus.name() + " has none",
                  use_one_of("torus", nearest) + ", or hamiltonian_cycles");
}

std::vector<bool> nodes_on(const Trail& trail, std::size_t nodes) {
  std::vector<bool> on(nodes);
  for (const TrailPosition& position : trail) on[index(position.node)] = true;
  return on;
}

LoadedTrail loaded(const Trail& cycle, std::uint32_t first_own_chunk,
                   std::uint32_t first_other_chunk, const std::vector<bool>& on_other) {
  LoadedTrail trail;
  for (const TrailPosition& position : cycle) {
    const std::uint32_t node = index(position.node);
    std::vector<ChunkId> chunks{ChunkId{first_own_chunk + node}};
    if (!on_other[node]) chunks.push_back(ChunkId{first_other_chunk + node});
    trail.append(position, chunks);
  }
  return trail;
}

}  // namespace

ForwardingRule rule_by_columns(const Grid& torus, std::size_t row_dimension,
                               const CouplingOfColumn& coupling) {
  return [=, &torus](NodeId node, PortId input) {
    const Coupling here = coupling(torus.coordinate(node, 1 - row_dimension));
    return PortId(index(input) ^ static_cast<std::uint16_t>(here));
  };
}

Coupling zigzag_coupling(std::size_t column, std::size_t columns) {
  if (column % 2 == 0 || column + 1 == columns) return Coupling::kTopRight;
  if (columns % 2 != 0 && column + 2 == columns) return Coupling::kStraight;
  return Coupling::kTopLeft;
}

std::vector<Trail> zigzag_cycles(const Grid& torus) {
  const std::size_t rows = row_dimension(torus);
  const std::size_t columns = torus.size(1 - rows);
  const ForwardingRule forward = rule_by_columns(
      torus, rows, [columns](std::size_t column) { return zigzag_coupling(column, columns); });
  // A lap shifts a cycle by two rows, so in the last column each cycle passes every other row.
  const NodeId last_of_row_0 = shifted(torus, NodeId{0}, 1 - rows, -1);
  const NodeId last_of_row_1 = shifted(torus, last_of_row_0, rows, 1);
  const PortId right = Grid::plus(1 - rows);
  return {follow(torus, {last_of_row_0, right}, forward),
          follow(torus, {last_of_row_1, right}, forward)};
}

namespace {

/// Gossip with two chunks a node along two fixed zigzag cycles of a two-dimensional torus.
///
/// Store-and-forward, all-port. A node on both cycles puts one chunk on each, a node on one cycle
/// puts both there; nodes beside a cycle receive from the nodes above and below them
/// (trail_gossip.h). Cost on P nodes: P/2 rounds, which is optimal; 2P (P-1) sends, no duplicates.
///
/// Throws PreconditionError unless the torus has two dimensions, both of size 3 or more and at
/// least one of even size (with both odd the rule gives one trail of about twice the length), and
/// beyond kMostSends (11585 nodes).
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 2,
/// theorem 1. It calls the case of two odd sizes similar, which it is not.
Plan zigzag_cycle_gossip(const Grid& torus) {
  require(few_enough_gossip_sends(torus, 2));
  const std::vector<Trail> cycles = zigzag_cycles(torus);
  const std::size_t nodes = torus.node_count();
  const auto second_chunks = static_cast<std::uint32_t>(nodes);
  const std::vector<LoadedTrail> trails{
      loaded(cycles[0], 0, second_chunks, nodes_on(cycles[1], nodes)),
      loaded(cycles[1], second_chunks, 0, nodes_on(cycles[0], nodes))};

  return {trail_gossip(torus, trails, static_cast<std::uint32_t>(nodes / 2)),
          {nodes / 2, false, gossip_sends(nodes, 2), 0},
          {{"gossip.theorem_1", "ceil(P/2)", (nodes + 1) / 2}}};
}

}  // namespace

CollectiveEntry zigzag_cycles_collective() {
  return gossip_entry<Grid, zigzag_cycle_gossip, 2>(
      "zigzag_cycles", "2-D tori with an even size: two chunks a node, round two zigzag cycles.");
}

}  // namespace flitcast
