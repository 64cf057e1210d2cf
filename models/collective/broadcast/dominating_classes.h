// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/broadcast/broadcast_builder.h"
#include "topology/grid.h"

namespace flitcast {

/// The nodes that some columns and some rows of a 2-D mesh have in common. Places on it are counted
/// in columns and rows of its own.
struct Lattice {
  std::size_t mesh_width = 0;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> rows;

  NodeId node(std::size_t x, std::size_t y) const {
    return NodeId{static_cast<std::uint32_t>(rows[y] * mesh_width + columns[x])};
  }
};

/// The lattice of all nodes of a 2-D mesh.
Lattice whole_mesh(const Grid& mesh);

/// The two lattices, alpha and beta, whose nodes inform a dominating set of all 4 x 4 blocks of a
/// lattice in one round (block_pair_pattern). A lattice of 4a x 8b gives two of a x b: alpha has
/// columns 4I + 1 and rows 8J, beta columns 4I + 2 and rows 8J + 7.
std::vector<Lattice> dominating_classes(const Lattice& lattice);

/// How a tile of a lattice, and thus a lattice paved with such tiles, is informed in one round:
/// some nodes of the tile, the heads, inform three others each.
struct DominatingPattern {
  struct Place {
    std::size_t x;
    std::size_t y;
  };
  struct Head {
    Place place;
    std::array<Place, 3> informs;
  };
  std::size_t width;
  std::size_t height;
  std::vector<Head> heads;
};

/// A 4 x 4 block: its perfect dominating set informs the rest.
DominatingPattern block_pattern();
/// A 4 x 8 pair of blocks: an alpha node below and a beta node above inform the dominating sets of
/// both blocks, to which they belong.
DominatingPattern block_pair_pattern();
/// A 4 x 2 lattice, the classes of the 16 x 16 mesh: two nodes inform the rest.
DominatingPattern half_block_pattern();

/// The nodes in the places of the heads, tile by tile.
std::vector<NodeId> heads(const Lattice& lattice, const DominatingPattern& pattern);

/// Adds the messages of the heads of all tiles to the broadcast's round.
void inform_from_heads(BroadcastBuilder& broadcast, const Lattice& lattice,
                       const DominatingPattern& pattern);

}  // namespace flitcast
