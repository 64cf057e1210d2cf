// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/dilated_diagonal.h"

#include <cstdint>
#include <vector>

#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

DilatedTorus::DilatedTorus(const Grid& grid, NodeId origin)
    : grid_(grid),
      origin_(origin),
      longer_(grid.size(0) > grid.size(1) ? 0 : 1),
      sizes_{static_cast<std::int64_t>(grid.size(0)), static_cast<std::int64_t>(grid.size(1))} {
  sizes_[longer_] -= sizes_[longer_] % shorter_size();
}

NodeId DilatedTorus::node(std::int64_t column, std::int64_t row) const {
  return shifted(grid_, shifted(grid_, origin_, 0, hops(0, column)), 1, hops(1, row));
}

std::int64_t DilatedTorus::hops(std::size_t dimension, std::int64_t place) const {
  const std::int64_t places = sizes_[dimension];
  const std::int64_t wrapped = (place % places + places) % places;
  return wrapped * static_cast<std::int64_t>(grid_.size(dimension)) / places;
}

namespace {

constexpr std::size_t kColumns = 0;  // The dimension along which columns are counted.
constexpr std::size_t kRows = 1;

Precondition wraps_in_both_dimensions(const Grid& grid) {
  if (grid.wraps(0) && grid.wraps(1)) return {};
  return violated("the dilated diagonal is defined on tori, not on " + grid.name(),
                  use_one_of("torus", {grid.node_grid()}));
}

Ties towards(std::int64_t steps) { return steps < 0 ? Ties::kDownwards : Ties::kUpwards; }

Schedule ring_broadcast(const Grid& grid, NodeId source, std::size_t dimension) {
  const std::vector<NodeId> ring =
      mapped(NumberRange<std::int64_t>(grid.size(dimension)),
             [&](std::int64_t i) { return shifted(grid, source, dimension, i); });
  BroadcastBuilder broadcast(grid, source);
  split_rings(broadcast, {ring_task(grid, dimension, source, ring)});
  return broadcast.finish();
}

/// Builds the four phases, for a shorter side of at least 2.
class DilatedDiagonal {
 public:
  DilatedDiagonal(const Grid& grid, NodeId source, const DilatedTorus& torus)
      : grid_(grid), torus_(torus), broadcast_(grid, source) {}

  Schedule build() {
    align_to_diagonal(copy_into_rows());
    serve_bands();
    serve_extra();
    return broadcast_.finish();
  }

 private:
  /// Phase 1: copies the chunk into every row of the dilated torus. Returns the informed node of
  /// each row.
  std::vector<NodeId> copy_into_rows() {
    struct Copy {
      Strip strip;             // Rows.
      std::int64_t aside = 0;  // Distance from the source's column, in the real torus.
    };
    const auto node = [this](const Copy& copy) {
      return shifted(grid_, torus_.node(0, copy.strip.owner), kColumns, copy.aside);
    };
    const std::int64_t rows = torus_.size(kRows);
    broadcast_.begin_phase("phase 1, a copy into every row");
    std::vector<Copy> copies{{centred_strip(-((rows - 1) / 2), rows)}};
    split_strips(broadcast_, copies, 2, [&](const Copy& copy, const HandedStrip& part) {
      const std::int64_t steps = part.strip.owner - copy.strip.owner;
      // The message to a far part goes to another column, where it cannot meet the message to the
      // near part.
      const std::int64_t sidestep = part.far ? (steps < 0 ? -1 : 1) : 0;
      const Copy handed{part.strip, copy.aside + sidestep};
      broadcast_.send(node(copy), node(handed), towards(steps));
      return handed;
    });
    std::vector<NodeId> node_of_row(copies.size());
    for (const Copy& copy : copies) {
      node_of_row[static_cast<std::size_t>((copy.strip.owner + rows) % rows)] = node(copy);
    }
    return node_of_row;
  }

  /// Phase 2: informs the dilated diagonal.
  void align_to_diagonal(const std::vector<NodeId>& copies) {
    std::vector<RingTask> tasks;
    broadcast_.begin_phase("phase 2, to the dilated diagonal");
    for (std::int64_t row = 0; row < torus_.size(kRows); ++row) {
      std::vector<NodeId> diagonal;
      for (std::int64_t x = row; x < row + torus_.size(kColumns); x += torus_.shorter_size()) {
        diagonal.push_back(torus_.node(x, row));
      }
      tasks.push_back(ring_task(grid_, kColumns, copies[static_cast<std::size_t>(row)], diagonal));
    }
    split_rings(broadcast_, tasks);
  }

  /// Phase 3: informs the bands. The offset of a band is column - row mod S.
  void serve_bands() {
    const std::int64_t offsets = torus_.shorter_size();
    broadcast_.begin_phase("phase 3, bands beside the diagonal");
    const bool tall = torus_.longer() == kRows;
    std::vector<HandedStrip> bands{{centred_strip(-((offsets - 1) / 2), offsets)}};
    // Every node with the old owner's offset informs a node with the new owner's offset, along its
    // column or its row; near parts go along the longer side of the torus.
    split_strips(broadcast_, bands, 2, [&](const HandedStrip& band, const HandedStrip& part) {
      const std::int64_t owner = band.strip.owner;
      const std::int64_t steps = part.strip.owner - owner;
      for (std::int64_t i = 0; i < torus_.size(torus_.longer()); ++i) {
        const std::int64_t column = tall ? i + owner : i;
        const std::int64_t row = tall ? i : i - owner;
        const NodeId from = torus_.node(column, row);
        if (tall != part.far) {
          broadcast_.send(from, torus_.node(column, row - steps), towards(-steps));
        } else {
          broadcast_.send(from, torus_.node(column + steps, row), towards(steps));
        }
      }
      return part;
    });
  }

  /// Phase 4: informs the extra rows or columns.
  void serve_extra() {
    const std::size_t longer = torus_.longer();
    if (!torus_.has_extra()) return;
    broadcast_.begin_phase("phase 4, lines that the dilation omits");
    broadcast_.begin_round();
    for (std::int64_t i = 0; i < torus_.size(longer); ++i) {
      if (!torus_.extra_above(i)) continue;
      for (std::int64_t k = 0; k < torus_.shorter_size(); ++k) {
        const NodeId from = longer == kRows ? torus_.node(k, i) : torus_.node(i, k);
        broadcast_.send(from, shifted(grid_, from, longer, 1));
      }
    }
  }

  const Grid& grid_;
  const DilatedTorus& torus_;
  BroadcastBuilder broadcast_;
};

std::size_t claimed_rounds(const DilatedTorus& torus) {
  const auto shorter = static_cast<std::size_t>(torus.shorter_size());
  const auto columns = static_cast<std::size_t>(torus.size(kColumns));
  const auto rows = static_cast<std::size_t>(torus.size(kRows));
  if (shorter == 1) return ceil_log(3, columns * rows);
  return ceil_log(5, rows) + ceil_log(3, columns / shorter + 1) + ceil_log(5, shorter) +
         (torus.has_extra() ? 1 : 0);
}

/// The document calls the algorithm optimal on the square tori of 5^k x 5^k.
std::vector<Theorem> theorems_of(const Grid& grid) {
  const std::size_t bound = ceil_log(5, grid.node_count());
  std::vector<Theorem> theorems{{"broadcast.diagonal.general", "ceil(log5 N) + 5", bound + 5}};
  std::size_t power = 5;
  while (power < grid.size(0)) power *= 5;
  if (power == grid.size(0) && power == grid.size(1)) {
    theorems.push_back({"broadcast.diagonal.optimal", "log5 N", bound});
  }
  return theorems;
}

}  // namespace

Plan dilated_diagonal_broadcast(const Grid& grid, NodeId source) {
  require(in_two_dimensions(grid, "the dilated diagonal"));
  require(wraps_in_both_dimensions(grid));
  require(source_exists(grid, source));
  const DilatedTorus torus(grid, source);
  return {torus.shorter_size() == 1 ? ring_broadcast(grid, source, torus.longer())
                                    : DilatedDiagonal(grid, source, torus).build(),
          {claimed_rounds(torus), false, grid.node_count() - 1, 0},
          theorems_of(grid)};
}

CollectiveEntry dilated_diagonal_collective() {
  return broadcast_entry<Grid, dilated_diagonal_broadcast, Switching::kWormhole, kAllPorts>(
      "dilated_diagonal", "Every 2-D torus, wormhole, all ports.");
}

}  // namespace flitcast
