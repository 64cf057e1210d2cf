// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/gossip/trail_gossip.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

// The zigzag of a lap: the largest j for which the lap is a multiple of (n_2 / d) n_3 .. n_j. Axes
// are counted from 1, as in the literature.
std::size_t kind_of(std::size_t lap, const Grid& torus, const std::vector<std::size_t>& axes) {
  std::size_t j = 1;
  std::size_t laps_to_fill = torus.size(axes[1]) / axes.size();  // For axes 1 .. j + 1.
  while (j + 1 < axes.size() && lap % laps_to_fill == 0) {
    ++j;
    laps_to_fill *= torus.size(axes[j]);
  }
  return j;
}

// Builds a trail move by move.
Trail walk(const Grid& torus, const std::vector<std::size_t>& axes, std::size_t number) {
  const NodeId start = shifted(torus, NodeId{0}, axes[1], static_cast<std::int64_t>(number));
  NodeId here = start;
  Trail trail;
  const auto move = [&](std::size_t axis) {
    const PortId output = Grid::plus(axes[axis - 1]);
    trail.push_back({here, output});
    here = neighbour(torus, here, output);
  };
  std::size_t lap = 0;
  do {
    ++lap;
    for (const std::size_t axis : zigzag_moves(axes.size(), kind_of(lap, torus, axes))) move(axis);
    while (torus.coordinate(here, axes[0]) != 0) move(1);
  } while (here != start);
  return trail;
}

}  // namespace

std::vector<std::size_t> zigzag_moves(std::size_t dimensions, std::size_t j) {
  std::vector<std::size_t> moves{2, 1};
  for (std::size_t pair = 1; pair < dimensions; ++pair) {
    moves.push_back(pair <= j ? pair + 1 : 2);
    moves.push_back(1);
  }
  return moves;
}

std::vector<Trail> zigzag_laps(const Grid& torus, const std::vector<std::size_t>& axes) {
  const bool one_takes_all = axes.size() == 2 && torus.size(axes[1]) % 2 != 0;
  return tabulated(one_takes_all ? 1 : axes.size(),
                   [&](std::size_t number) { return walk(torus, axes, number); });
}

namespace {

// The multiple of `unit` nearest to `size`, the lower one of two, but never 0.
std::size_t nearest_multiple(std::size_t size, std::size_t unit) {
  return std::max(unit, (size + (unit - 1) / 2) / unit * unit);
}

// The nearest sizes that work in three or four dimensions with n_2 = `second`.
Sizes nearest_with(Sizes sizes, std::size_t second) {
  if (sizes.size() == 4) sizes[0] = 4;
  sizes[1] = second;
  for (std::size_t a = 2; a < sizes.size(); ++a) sizes[a] = nearest_multiple(sizes[a], second);
  return sizes;
}

std::size_t distance(const Sizes& one, const Sizes& other) {
  return sum_of<std::size_t>(numbers(one.size()), [&](std::size_t a) {
    return std::max(one[a], other[a]) - std::min(one[a], other[a]);
  });
}

// The nearest sizes that work; the given sizes alone if they work.
std::vector<Sizes> nearest_that_work(const Sizes& sizes) {
  const std::size_t d = sizes.size();
  if (d == 2) return {sizes};
  std::vector<Sizes> choices;
  for (std::size_t second = d; second < 2 * sizes[1] + d; second += d) {
    choices.push_back(nearest_with(sizes, second));
  }
  std::size_t least = distance(choices.front(), sizes);
  for (const Sizes& choice : choices) least = std::min(least, distance(choice, sizes));
  return filtered(choices, [&](const Sizes& choice) { return distance(choice, sizes) == least; });
}

const char* sizes_that_work(std::size_t dimensions) {
  return dimensions == 3
             ? "the second size is a multiple of 3 and the third a multiple of the second"
             : "the first size is 4, the second a multiple of 4 and the others multiples of the "
               "second";
}

Precondition in_two_to_four_dimensions(const Grid& grid) {
  if (grid.dimensions() >= 2 && grid.dimensions() <= 4) return {};
  return violated("gossip along zigzag trails is verified on two to four dimensions only, not on " +
                      grid.name(),
                  "use two to four dimensions, such as torus 4x4 or torus 4x4x4x4");
}

}  // namespace

Precondition with_zigzag_sizes(const Grid& grid) {
  if (auto condition = in_two_to_four_dimensions(grid)) return condition;
  const std::size_t d = grid.dimensions();
  const std::vector<Sizes> nearest = nearest_that_work(raised_to_three(grid));
  if (auto condition = on_torus(grid, "gossip along zigzag trails", nearest)) return condition;
  if (nearest.front() == grid.node_grid()) return {};
  return violated("in " + std::to_string(d) +
                      " dimensions the zigzag trails close, and come by every node, only where " +
                      sizes_that_work(d) + ", not on " + grid.name(),
                  use_one_of("torus", nearest));
}

namespace {

std::size_t divided_up(std::size_t number, std::size_t by) { return (number + by - 1) / by; }

std::size_t rounds_in_two_dimensions(std::size_t rows, std::size_t columns) {
  const std::size_t lap = columns + 2;
  if (rows % 2 == 0) return divided_up(rows / 2 * lap, 2);
  // A node of the first two columns has two positions on the trail, at most lap * (rows + 1) / 2 -
  // 1 apart.
  return std::max(divided_up(rows * lap - 1, 4), divided_up(lap * (rows + 1) / 2 - 2, 2));
}

// The dimensions of the torus that serve as the literature's axes, and the resulting rounds.
struct Layout {
  std::vector<std::size_t> axes;
  std::size_t rounds = 0;
};

Layout layout_in_two_dimensions(const Grid& torus) {
  // Axis 1 runs along the rows, that is, from column to column.
  const std::size_t upright = rounds_in_two_dimensions(torus.size(0), torus.size(1));
  const std::size_t exchanged = rounds_in_two_dimensions(torus.size(1), torus.size(0));
  if (exchanged < upright) return {{0, 1}, exchanged};
  return {{1, 0}, upright};
}

Layout layout(const Grid& torus) {
  if (torus.dimensions() == 2) return layout_in_two_dimensions(torus);
  std::vector<std::size_t> axes = numbers(torus.dimensions());
  const std::size_t nodes = torus.node_count();
  return {axes, divided_up(nodes / axes.size() + nodes / torus.size(0), 2)};
}

// Theorem 3 prints n1 n2/2 for n2 n3/2.
std::vector<Theorem> theorems_of(const Grid& torus, const Layout& layout) {
  const std::size_t nodes = torus.node_count();
  const std::size_t d = torus.dimensions();
  if (d == 2) {
    const std::size_t rows = torus.size(layout.axes[1]);
    return {{"gossip.theorem_2", "P/4 + n1/2 + 1", divided_up(nodes + 2 * rows, 4) + 1}};
  }
  const std::size_t rounds = divided_up(nodes / d + nodes / torus.size(0), 2) + 1;
  std::vector<Theorem> theorems{{"gossip.theorem_4", "P/(2d) + P/(2 n1) + 1", rounds}};
  if (d == 3) theorems.push_back({"gossip.theorem_3", "P/6 + n2 n3/2 + 1", rounds});
  return theorems;
}

// Puts a node's chunk at the position where the trail enters the node by axis 1; the other
// positions carry no chunk.
LoadedTrail loaded(const Trail& trail, PortId along_axis_1) {
  LoadedTrail loaded;
  PortId entered_by = trail.back().output;
  for (const TrailPosition& position : trail) {
    const ChunkId chunk{index(position.node)};
    loaded.append(position, entered_by == along_axis_1 ? std::vector<ChunkId>{chunk}
                                                       : std::vector<ChunkId>{});
    entered_by = position.output;
  }
  return loaded;
}

/// Gossip with one chunk a node along the fixed trails of zigzag_laps(), in about P/(2d) rounds on
/// P nodes. A node's chunk circulates on the trail that enters the node by axis 1; two neighbours
/// feed a node with the chunks of the trails that do not visit it (trail_gossip.h).
///
/// Store-and-forward, all-port. Cost: P (P-1) sends, no duplicates, and in rounds
///
///   n_1 x n_2, n_1 even    ceil(n_1 n_2 / 4 + n_1 / 2)
///   n_1 x n_2, n_1 odd     max(ceil((n_1 (n_2+2) - 1) / 4), ceil(((n_2+2) (n_1+1) / 2 - 2) / 2))
///   d = 3 or 4 dimensions  ceil(P / (2d) + P / (2 n_1))
///
/// In two dimensions n_1 is the size of dimension 0 or 1, whichever takes fewer rounds; in more
/// dimensions sizes are in the order of the dimensions.
///
/// Throws PreconditionError unless with_zigzag_sizes(), and beyond kMostSends (16384 nodes).
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 3,
/// theorems 2 to 4. Theorem 2 prints n_1 n_2 / 4 + n_1 / 2 + 1; for odd n_1 that holds here up to
/// n_2 = 8, and from 9 on this takes up to about n_2 / 4 - 3/2 rounds more, because the paper does
/// not describe its "one special row". Theorem 3 prints n_1 n_2 / 2 for n_2 n_3 / 2.
Plan zigzag_trail_gossip(const Grid& torus) {
  require(with_zigzag_sizes(torus));
  require(few_enough_gossip_sends(torus, 1));
  const Layout layout = flitcast::layout(torus);
  const auto trails = mapped(zigzag_laps(torus, layout.axes), [&](const Trail& trail) {
    return loaded(trail, Grid::plus(layout.axes[0]));
  });

  return {trail_gossip(torus, trails, static_cast<std::uint32_t>(layout.rounds)),
          {layout.rounds, false, gossip_sends(torus.node_count(), 1), 0},
          theorems_of(torus, layout)};
}

}  // namespace

CollectiveEntry zigzag_trails_collective() {
  return gossip_entry<Grid, zigzag_trail_gossip, 1>(
      "zigzag_trails", "Tori of 2 to 4 dimensions: one chunk a node, along zigzag trails.");
}

}  // namespace flitcast
