// SPDX-License-Identifier: Apache-2.0
#include "collective/hamiltonian_cycles.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "collective/require_torus.h"

namespace flitcast {
namespace {

/// Where the flips of two dimensions lie: flip i joins places i and i + 1 of the longer dimension,
/// at this place of the shorter one.
std::vector<std::size_t> flip_places(std::size_t longer, std::size_t shorter) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place + 1 < shorter; ++place) places.push_back(place);
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
  return {NodeId{static_cast<std::uint32_t>(random.below(torus.node_count()))}, first,
          second < first ? second : second + 1};
}

std::optional<ColouredTorus> flipped_at_random(const Grid& torus, Random random,
                                               std::size_t tries) {
  ColouredTorus coloured(torus);
  for (; coloured.cycle_count() > torus.dimensions() && tries > 0; --tries) {
    const ColouredTorus::Square square = random_square(torus, random);
    // Flips that change nothing are kept too: the search would come to dead ends without them.
    if (coloured.can_flip(square) && coloured.change_by_flip(square) <= 0) coloured.flip(square);
  }
  if (coloured.cycle_count() > torus.dimensions()) return std::nullopt;
  return coloured;
}

ColouredTorus searched(const Grid& torus) {
  // Hardest of those tried is 3x3x1000, with 300 tries for each node and pair of dimensions.
  constexpr std::uint64_t kSeeds = 4;
  const std::size_t tries = 500 * torus.node_count() * torus.dimensions() * torus.dimensions();
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    auto found = flipped_at_random(torus, Random(seed), tries);
    if (found) return *std::move(found);
  }
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          "no edge-disjoint Hamiltonian cycles were found on " + torus.name(),
                          "use a torus of two dimensions, or other sizes");
}

}  // namespace

std::vector<HamiltonianCycle> hamiltonian_cycles(const Grid& torus) {
  require_torus(torus, "the decomposition into Hamiltonian cycles");
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
