// SPDX-License-Identifier: Apache-2.0
// Routing by sorting: packets that are sorted by destination move on without waiting.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/sequences.h"
#include "collective/cost.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"

namespace flitcast {

std::size_t shearsort_rounds(std::size_t rows, std::size_t columns) {
  return ceil_log(2, rows) * (rows + columns) + columns;
}

namespace {

using Line = std::vector<NodeId>;  // The nodes in ascending order of keys.
using Lines = std::vector<Line>;
using Block = std::vector<Line>;  // Rows, which have equal length.

Line reversed(Line line) {
  std::reverse(line.begin(), line.end());
  return line;
}

// The rows of a block, alternately from left to right and from right to left.
Lines snake_rows(const Block& block) {
  return tabulated(block.size(),
                   [&](std::size_t r) { return r % 2 == 0 ? block[r] : reversed(block[r]); });
}

Lines columns_of(const Block& block) {
  Lines columns(block.front().size());
  for (const Line& row : block) {
    for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
  }
  return columns;
}

/// Sorts the packets of a mesh whose nodes hold at most one packet each, and records all moves. A
/// node without a packet is treated as if it held one with a key above all others, which is not
/// moved.
class MeshSorter {
 public:
  MeshSorter(const MeshShape& mesh, const Instance& packets)
      : mesh_(mesh), held_(mesh.columns * mesh.rows, kNothing), key_(held_.size()) {
    for (std::size_t node = 0; node < key_.size(); ++node) key_[node] = key_.size() + node;
    for (std::uint32_t p = 0; p < packets.size(); ++p) {
      const NodeId to = packets[p].to;
      held_[index(packets[p].from)] = p;
      key_[index(packets[p].from)] = mesh.column(to) * mesh.rows + mesh.row(to);
    }
  }

  /// Gives a name to the moves that follow.
  void name(const char* phase) { plan_.phases.begin_phase(phase); }

  /// Makes `rounds` rounds of odd-even transposition on all lines at once, one step each:
  /// neighbours exchange their packets, and the first of the two keeps the packet with the smaller
  /// key.
  void transpose_neighbours(const Lines& lines, std::size_t rounds) {
    for (std::size_t round = 0; round < rounds; ++round) {
      begin_phase(1);
      for (const Line& line : lines) {
        for (std::size_t i = round % 2; i + 1 < line.size(); i += 2) exchange(line[i], line[i + 1]);
      }
    }
  }

  /// Sorts lines of equal length.
  void sort(const Lines& lines) {
    if (!lines.empty()) transpose_neighbours(lines, lines.front().size());
  }

  /// Sorts blocks of equal shape, each into its row-major snake: sorts ceil(log2 R) times all rows
  /// and all columns, and the rows once more. The phases of a single block, which is the turned
  /// mesh, get names. Source: Scherson, Sen and Shamir, "Shear-Sort", 1986.
  void shearsort(const std::vector<Block>& blocks) {
    if (blocks.empty()) return;
    const Lines rows = concatenated(blocks, snake_rows);
    const Lines columns = concatenated(blocks, columns_of);
    const bool whole = blocks.size() == 1;
    for (std::size_t i = 0; i < ceil_log(2, blocks.front().size()); ++i) {
      if (whole) name("sort columns");
      sort(rows);
      if (whole) name("sort rows");
      sort(columns);
    }
    if (whole) name("sort columns");
    sort(rows);
  }

  /// Moves every packet from its node to place(node), in one phase for which `steps` are reserved.
  template <class Place>
  void rearrange(Place&& place, std::size_t steps) {
    begin_phase(steps);
    std::vector<std::uint32_t> held(held_.size(), kNothing);
    std::vector<std::size_t> key(key_.size());
    for (std::uint32_t node = 0; node < held_.size(); ++node) {
      const NodeId to = place(NodeId{node});
      held[index(to)] = held_[node];
      key[index(to)] = key_[node];
      move(held_[node], NodeId{node}, to);
    }
    held_ = std::move(held);
    key_ = std::move(key);
  }

  /// Moves every packet along its row to the column of its destination, then along that column.
  /// Returns the plan with all moves.
  MovePlan deliver(const Instance& packets) {
    for (const bool along_row : {true, false}) {
      name(along_row ? "along rows" : "along columns");
      begin_phase(along_row ? mesh_.columns - 1 : mesh_.rows - 1);
      for (std::uint32_t node = 0; node < held_.size(); ++node) {
        if (held_[node] == kNothing) continue;
        const NodeId to = packets[held_[node]].to;
        const NodeId turn = mesh_.node(mesh_.column(to), mesh_.row(NodeId{node}));
        move(held_[node], along_row ? NodeId{node} : turn, along_row ? turn : to);
      }
    }
    return std::move(plan_);
  }

 private:
  static constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();

  void begin_phase(std::size_t steps) {
    plan_.phases.begin_round();
    plan_.steps.push_back(steps);
  }
  void move(std::uint32_t packet, NodeId from, NodeId to) {
    if (packet != kNothing) plan_.phases.add(from, to, ChunkId{packet});
  }

  void exchange(NodeId a, NodeId b) {
    std::uint32_t& first = held_[index(a)];
    std::uint32_t& second = held_[index(b)];
    move(first, a, b);
    move(second, b, a);
    if (key_[index(a)] <= key_[index(b)]) return;
    std::swap(first, second);
    std::swap(key_[index(a)], key_[index(b)]);
  }

  const MeshShape mesh_;
  std::vector<std::uint32_t> held_;  // By node: the packet that it holds.
  std::vector<std::size_t> key_;     // By node: the key of that packet.
  MovePlan plan_;
};

// The part of the mesh that begins in column x and row y, with its columns as the rows of the
// block: sorting the block into its row-major snake sorts this part of the mesh into the
// column-major snake.
Block turned(const MeshShape& mesh, std::size_t x, std::size_t y, std::size_t columns,
             std::size_t rows) {
  Block block(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < rows; ++j) block[i].push_back(mesh.node(x + i, y + j));
  }
  return block;
}

// Routes packets that are sorted into the column-major snake: after the odd columns are reversed,
// every row holds at most one packet for each column.
MovePlan route_sorted(const MeshShape& mesh, const Instance& packets, MeshSorter& sorter) {
  sorter.name("reverse every second column");
  sorter.rearrange(
      [&](NodeId node) {
        const std::size_t x = mesh.column(node);
        const std::size_t y = mesh.row(node);
        return mesh.node(x, x % 2 == 0 ? y : mesh.rows - 1 - y);
      },
      mesh.rows - 1);
  return sorter.deliver(packets);
}

// The precondition that the memory suffices for every round of a sort, with the moves of all nodes.
Precondition few_enough_moves(const MeshShape& mesh, std::size_t rounds) {
  constexpr std::size_t kMostMoves = std::size_t{1} << 26;
  const std::size_t nodes = mesh.columns * mesh.rows;
  if (rounds <= kMostMoves / nodes) return {};
  return violated(fmt::format("{} rounds of {} nodes are more than the {} moves that can be kept",
                              rounds, nodes, kMostMoves),
                  "use a smaller mesh, or another algorithm");
}

/// The plan by shearsort. With n columns and m rows, sorting takes ceil(log2 n)(m + n) + m steps,
/// and the moves after it take m - 1, n - 1 and m - 1 steps. Source: CS838 lecture notes (1999),
/// section 9.
MovePlan by_shearsort(const Section& workload, const AlgorithmContext& context) {
  require(workload, "algorithm", is_permutation(workload, context.packets));
  const MeshShape mesh = mesh_shape(context.topology);
  require(workload, "algorithm", few_enough_moves(mesh, shearsort_rounds(mesh.columns, mesh.rows)));
  MeshSorter sorter(mesh, context.packets);
  sorter.shearsort({turned(mesh, 0, 0, mesh.columns, mesh.rows)});
  return route_sorted(mesh, context.packets, sorter);
}

std::size_t fourth_root(std::size_t n) {
  std::size_t q = 1;
  while ((q + 1) * (q + 1) * (q + 1) * (q + 1) <= n) ++q;
  return q;
}

/// The sorting algorithm of Schnorr and Shamir takes 3n + o(n) steps on an n x n mesh with n = q^4;
/// blocks have side b = q^3, and shearsort sorts inside blocks. Source: C. P. Schnorr and A.
/// Shamir, "An Optimal Sorting Algorithm for Mesh Connected Computers", STOC 1986.
void sort_by_blocks(const MeshShape& mesh, MeshSorter& sorter) {
  const std::size_t n = mesh.rows;
  const std::size_t q = fourth_root(n);
  const std::size_t b = q * q * q;
  const Block whole = turned(mesh, 0, 0, n, n);
  // Blocks of `height` b x b squares stacked vertically, from square row `first` on.
  const auto blocks = [&](std::size_t first, std::size_t height) {
    std::vector<Block> all;
    for (std::size_t r = first; r + height <= q; r += height) {
      for (std::size_t c = 0; c < q; ++c) {
        all.push_back(turned(mesh, r * b, c * b, height * b, b));
      }
    }
    return all;
  };
  // The unshuffle moves column c of the turned mesh, a row of the mesh, to this place.
  const auto unshuffled = [&](std::size_t c) { return c % q * b + c / q; };
  const auto farthest = largest_of<std::size_t>(numbers(n), [&](std::size_t c) {
    return std::max(unshuffled(c), c) - std::min(unshuffled(c), c);
  });

  sorter.name("sort blocks");
  sorter.shearsort(blocks(0, 1));
  sorter.name("unshuffle");
  sorter.rearrange(
      [&](NodeId node) { return mesh.node(mesh.column(node), unshuffled(mesh.row(node))); },
      farthest);
  sorter.name("sort blocks");
  sorter.shearsort(blocks(0, 1));
  sorter.name("sort rows");
  sorter.sort(columns_of(whole));
  sorter.name("sort pairs of blocks");
  sorter.shearsort(blocks(0, 2));
  sorter.shearsort(blocks(1, 2));
  sorter.name("sort columns");
  sorter.sort(snake_rows(whole));
  sorter.name("sort along the snake");
  const Line snake = concatenated(snake_rows(whole), [](const Line& row) { return row; });
  sorter.transpose_neighbours({snake}, 2 * b);
}

Precondition on_fourth_powers(const AlgorithmContext& context, const MeshShape& mesh) {
  const std::size_t q = fourth_root(mesh.rows);
  const std::size_t less = q * q * q * q;
  if (mesh.columns == mesh.rows && less == mesh.rows) return {};
  const std::size_t more = (q + 1) * (q + 1) * (q + 1) * (q + 1);
  return violated(fmt::format("schnorr_shamir sorts n x n meshes with n = q^4, not {}",
                              context.topology.name()),
                  fmt::format("use mesh {0}x{0} or {1}x{1}, or shearsort", less, more));
}

MovePlan by_schnorr_shamir(const Section& workload, const AlgorithmContext& context) {
  require(workload, "algorithm", is_permutation(workload, context.packets));
  const MeshShape mesh = mesh_shape(context.topology);
  require(workload, "algorithm", on_fourth_powers(context, mesh));
  const std::size_t q = fourth_root(mesh.rows);
  const std::size_t b = q * q * q;
  require(workload, "algorithm",
          few_enough_moves(
              mesh, 2 * (shearsort_rounds(b, b) + shearsort_rounds(2 * b, b) + mesh.rows + b)));
  MeshSorter sorter(mesh, context.packets);
  sort_by_blocks(mesh, sorter);
  return route_sorted(mesh, context.packets, sorter);
}

AlgorithmEntry sorting_entry(const char* name, const char* summary, AlgorithmMaker make) {
  return on_plane_meshes({name, summary, {}, make}, [](const AlgorithmContext&) {
    return std::vector<PermutationClaim>{
        {&StepFigures::max_delay, 0, "no packet waits for another", true}};
  });
}

}  // namespace

std::vector<AlgorithmEntry> sorting_algorithms() {
  return {
      sorting_entry("shearsort",
                    "On meshes of one or two dimensions: sort by destination with shearsort, "
                    "then along rows and columns without delay.",
                    by_shearsort),
      sorting_entry("schnorr_shamir",
                    "The same with the sorting algorithm of Schnorr and Shamir, on n x n meshes "
                    "with n = q^4.",
                    by_schnorr_shamir)};
}

}  // namespace flitcast
