// SPDX-License-Identifier: Apache-2.0
#include "collective/hamiltonian_cycles.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "topology/grid.h"

namespace flitcast {

constexpr std::uint32_t kNoName = ~std::uint32_t{0};

ColouredTorus::ColouredTorus(const Grid& torus)
    : colour_count_(torus.dimensions()),
      places_(torus.node_count() * colour_count_, {kNoName, {}}) {
  const auto nodes = static_cast<std::uint32_t>(torus.node_count());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::size_t d = 0; d < colour_count_; ++d) {
      for (const PortId port : {Grid::plus(d), Grid::minus(d)}) {
        next_.push_back(neighbour(torus, NodeId{node}, port));
        colours_.push_back(static_cast<std::uint8_t>(d));
      }
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::size_t colour = 0; colour < colour_count_; ++colour) {
      if (place(NodeId{node}, colour).cycle == kNoName) name_cycle(NodeId{node}, colour);
    }
  }
}

void ColouredTorus::paint(NodeId node, std::size_t dimension, std::size_t colour) {
  const PortId up = Grid::plus(dimension);
  const auto narrow = static_cast<std::uint8_t>(colour);
  colours_[port_index(node, up)] = narrow;
  colours_[port_index(next(node, up), opposite(up))] = narrow;
}

/// The corners of the square in the order: corner, one step in `first`, one step in both, one step
/// in `second`.
ColouredTorus::Corners ColouredTorus::corners(const Square& square) const {
  const NodeId beyond_first = next(square.corner, Grid::plus(square.first));
  return {square.corner, beyond_first, next(beyond_first, Grid::plus(square.second)),
          next(square.corner, Grid::plus(square.second))};
}

bool ColouredTorus::can_flip(const Square& square) const {
  const Corners at = corners(square);
  const std::size_t a = colour(at[0], square.first);
  const std::size_t b = colour(at[0], square.second);
  return a != b && colour(at[3], square.first) == a && colour(at[1], square.second) == b;
}

int ColouredTorus::change_by_flip(const Square& square) const {
  const Corners at = corners(square);
  return change(at[0], at[3], square.first) + change(at[0], at[1], square.second);
}

/// The change in the number of cycles of one colour when its links that go up from `a` and `b` in a
/// dimension are exchanged. If the links are on two cycles, the exchange joins the cycles. If both
/// links are on one cycle and walked in the same direction, the exchange reverses the part between
/// them; otherwise it cuts that part off.
int ColouredTorus::change(NodeId a, NodeId b, std::size_t dimension) const {
  const std::size_t c = colour(a, dimension);
  if (place(a, c).cycle != place(b, c).cycle) return -1;
  const PortId up = Grid::plus(dimension);
  return (place(a, c).forward == up) == (place(b, c).forward == up) ? 0 : 1;
}

void ColouredTorus::flip(const Square& square) {
  const Corners at = corners(square);
  const std::size_t a = colour(at[0], square.first);
  const std::size_t b = colour(at[0], square.second);
  for (const std::size_t c : {a, b}) {
    cycle_count_ -= place(at[0], c).cycle == place(at[2], c).cycle ? 1 : 2;
  }
  paint(at[0], square.first, b);
  paint(at[3], square.first, b);
  paint(at[0], square.second, a);
  paint(at[1], square.second, a);
  for (const std::size_t c : {a, b}) rename_cycles(at, c);
}

void ColouredTorus::name_cycle(NodeId start, std::size_t colour) {
  NodeId at = start;
  PortId by = first_port(at, colour);
  do {
    places_[index(at) * colour_count_ + colour] = {next_name_, by};
    at = next(at, by);
    by = other_port(at, opposite(by));
  } while (at != start);
  ++next_name_;
  ++cycle_count_;
}

void ColouredTorus::rename_cycles(const Corners& corners, std::size_t colour) {
  const std::uint32_t first_new = next_name_;
  for (const NodeId corner : corners) {
    if (place(corner, colour).cycle < first_new) name_cycle(corner, colour);
  }
}

HamiltonianCycle ColouredTorus::cycle(std::size_t colour) const {
  HamiltonianCycle cycle;
  NodeId at{0};
  PortId by = first_port(at, colour);
  do {
    const PortId back = other_port(at, by);
    cycle.nodes.push_back(at);
    cycle.forward.push_back(by);
    cycle.backward.push_back(back);
    at = next(at, by);
    by = other_port(at, opposite(by));
  } while (at != NodeId{0});
  return cycle;
}

PortId ColouredTorus::first_port(NodeId node, std::size_t colour) const {
  PortId port{0};
  while (colours_[port_index(node, port)] != colour) {
    port = to_id<PortId>(index(port) + 1);
  }
  return port;
}

/// The other port of the node with the same colour.
PortId ColouredTorus::other_port(NodeId node, PortId port) const {
  const std::uint8_t colour = colours_[port_index(node, port)];
  std::uint16_t other = 0;
  while (other == index(port) || colours_[port_index(node, PortId{other})] != colour) ++other;
  return PortId{other};
}

namespace {

/// The positions of the flips in two dimensions: flip i joins places i and i + 1 of the longer
/// dimension at the i-th returned place of the shorter one.
std::vector<std::size_t> flip_places(std::size_t longer, std::size_t shorter) {
  std::vector<std::size_t> places = numbers(shorter - 1);
  const std::size_t excess = longer - shorter;
  const std::size_t pairs = shorter % 2 == 0 ? (excess + 1) / 2 : excess / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) places.insert(places.end(), {0, 1});
  if (excess % 2 == 1 && shorter % 2 == 1) places.push_back(shorter - 1);
  return places;
}

ColouredTorus flipped_by_rule(const Grid& torus) {
  ColouredTorus coloured(torus);
  const std::size_t rows = torus.size(0) >= torus.size(1) ? 0 : 1;
  const std::size_t columns = 1 - rows;
  std::int64_t row = 0;
  for (const std::size_t place : flip_places(torus.size(rows), torus.size(columns))) {
    const NodeId in_row = shifted(torus, NodeId{0}, rows, row++);
    coloured.flip({shifted(torus, in_row, columns, static_cast<std::int64_t>(place)), 0, 1});
  }
  return coloured;
}

ColouredTorus::Square random_square(const Grid& torus, Random& random) {
  const std::size_t first = random.below(torus.dimensions());
  const std::size_t second = random.below(torus.dimensions() - 1);
  return {to_id<NodeId>(random.below(torus.node_count())), first,
          second < first ? second : second + 1};
}

std::optional<ColouredTorus> flipped_at_random(const Grid& torus, Random random,
                                               std::size_t tries) {
  ColouredTorus coloured(torus);
  for (; coloured.cycle_count() > torus.dimensions() && tries > 0; --tries) {
    const ColouredTorus::Square square = random_square(torus, random);
    // Flips that leave the number of cycles unchanged are kept as well; otherwise the search gets
    // stuck.
    if (coloured.can_flip(square) && coloured.change_by_flip(square) <= 0) coloured.flip(square);
  }
  if (coloured.cycle_count() > torus.dimensions()) return std::nullopt;
  return coloured;
}

ColouredTorus searched(const Grid& torus) {
  // The hardest torus tested, 3x3x1000, took 300 tries for each node and pair of dimensions.
  constexpr std::uint64_t kSeeds = 4;
  const std::size_t tries = 500 * torus.node_count() * torus.dimensions() * torus.dimensions();
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    auto found = flipped_at_random(torus, Random(seed), tries);
    if (found) return *std::move(found);
  }
  throw *violated("no edge-disjoint Hamiltonian cycles were found on " + torus.name(),
                  "use a torus of two dimensions, or other sizes");
}

}  // namespace

std::vector<HamiltonianCycle> hamiltonian_cycles(const Grid& torus) {
  require(on_torus(torus, "the decomposition into Hamiltonian cycles"));
  const ColouredTorus coloured = torus.dimensions() == 2 ? flipped_by_rule(torus) : searched(torus);
  std::vector<HamiltonianCycle> cycles;
  for (std::size_t colour = 0; colour < torus.dimensions(); ++colour) {
    cycles.push_back(coloured.cycle(colour));
    if (cycles.back().nodes.size() != torus.node_count()) {
      throw std::logic_error("a colour of " + torus.name() + " is not one cycle");
    }
  }
  return cycles;
}

}  // namespace flitcast
