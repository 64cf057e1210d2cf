// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/zigzag_sizes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "collective/precondition.h"
#include "collective/require_torus.h"

namespace flitcast {

namespace {

// The multiple of `unit` nearest to `size`, the lower of two, but not 0.
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
  std::size_t distance = 0;
  for (std::size_t a = 0; a < one.size(); ++a) {
    distance += std::max(one[a], other[a]) - std::min(one[a], other[a]);
  }
  return distance;
}

// The sizes at the least distance among those that work; the given ones alone if they do.
std::vector<Sizes> nearest_that_work(const Sizes& sizes) {
  const std::size_t d = sizes.size();
  if (d == 2) return {sizes};
  std::vector<Sizes> choices;
  for (std::size_t second = d; second < 2 * sizes[1] + d; second += d) {
    choices.push_back(nearest_with(sizes, second));
  }
  std::size_t least = distance(choices.front(), sizes);
  for (const Sizes& choice : choices) least = std::min(least, distance(choice, sizes));
  std::vector<Sizes> nearest;
  for (const Sizes& choice : choices) {
    if (distance(choice, sizes) == least) nearest.push_back(choice);
  }
  return nearest;
}

const char* condition(std::size_t dimensions) {
  return dimensions == 3
             ? "the second size is a multiple of 3 and the third a multiple of the second"
             : "the first size is 4, the second a multiple of 4 and the others multiples of the "
               "second";
}

}  // namespace

void require_zigzag_sizes(const Grid& grid) {
  const auto subject = PreconditionError::Subject::kTopology;
  const std::size_t d = grid.dimensions();
  if (d < 2 || d > 4) {
    throw PreconditionError(
        subject,
        "gossip along zigzag trails is verified on two to four dimensions only, not on " +
            grid.name(),
        "use two to four dimensions, such as torus 4x4 or torus 4x4x4x4");
  }
  const std::vector<Sizes> nearest = nearest_that_work(raised_to_three(grid));
  require_torus(grid, "gossip along zigzag trails", nearest);
  if (nearest.front() == grid.node_grid()) return;
  throw PreconditionError(subject,
                          "in " + std::to_string(d) +
                              " dimensions the zigzag trails close, and come by every node, only "
                              "where " +
                              condition(d) + ", not on " + grid.name(),
                          use_one_of("torus", nearest));
}

}  // namespace flitcast
