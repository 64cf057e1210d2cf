// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "collective/broadcast/builders.h"
#include "collective/paths.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// The nodes at the intersections of some columns and some rows of a 2-D mesh. Places on a lattice
/// are counted in its columns and rows.
struct Lattice {
  std::size_t mesh_width = 0;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> rows;

  NodeId node(std::size_t x, std::size_t y) const {
    return to_id<NodeId>(rows[y] * mesh_width + columns[x]);
  }
};

/// The lattice of all nodes of a 2-D mesh.
Lattice whole_mesh(const Grid& mesh);

/// The two lattices, alpha and beta, whose nodes inform a dominating set of all 4 x 4 blocks of a
/// lattice in one round (block_pair_pattern). A lattice of 4a x 8b gives two of a x b: alpha has
/// columns 4I + 1 and rows 8J, beta columns 4I + 2 and rows 8J + 7.
std::vector<Lattice> dominating_classes(const Lattice& lattice);

/// The pattern by which a tile of a lattice, and thus a lattice paved with such tiles, is informed
/// in one round: some nodes of the tile, the heads, inform three others each.
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
/// A 4 x 8 pair of blocks: an alpha node below and a beta node above inform the rest of the
/// dominating sets of both blocks.
DominatingPattern block_pair_pattern();
/// A 4 x 2 lattice, the classes of the 16 x 16 mesh: two nodes inform the rest.
DominatingPattern half_block_pattern();

/// Returns the heads of all tiles, tile by tile.
std::vector<NodeId> heads(const Lattice& lattice, const DominatingPattern& pattern);

/// Adds the messages of the heads of all tiles to the broadcast's round.
void inform_from_heads(BroadcastBuilder& broadcast, const Lattice& lattice,
                       const DominatingPattern& pattern);

/// Informs a few nodes of a 2-D mesh, no two of them in one column, in a given number of rounds by
/// XY routing; all ports, no two messages of a round share a channel.
///
/// Every informed node is responsible for some targets on its left and on its right. With r rounds
/// left it keeps on each side the nearest (3^(r-1) - 1) / 2, enough for the later rounds, and
/// informs the middle one of the others, which takes over responsibility for them. The column
/// ranges of two nodes never interleave, so their messages do not meet. A target in the source's
/// column is informed through a y port in round 1.
///
/// These messages serve up to (3^rounds - 1) / 2 targets on either side. One side may have up to 3
/// more, if there are enough rounds: then the source informs a helper in its column in round 1, the
/// target there or otherwise the next node, and leaves the nearest targets to it. The helper's
/// messages use another row than the source's, and messages between its targets run towards the
/// source, so no channel is shared.
///
/// @param targets  The source may be one of them.
/// @param rounds   At least 1.
/// @return  The messages of `rounds` rounds.
/// Throws std::invalid_argument if a side has too many targets, or if both need the helper.
std::vector<std::vector<NodePair>> column_start(const Grid& mesh, NodeId source,
                                                const std::vector<NodeId>& targets,
                                                std::size_t rounds);

/// One-to-all broadcast on the meshes M(4^k,4^k), k = 1, 2, 3, from any node, between all-port
/// wormhole routers with XY routing.
///
/// In the last round the 4 nodes of its perfect dominating set inform every 4 x 4 block. In the
/// round before, two lattices of nodes inform the dominating sets of all blocks; their own
/// dominating sets are informed likewise (dominating_classes()), and the few nodes at the top of
/// this hierarchy get their copies one by one (column_start()).
///
///   k   start              then round by round
///   1   4 nodes, 2 rounds  all blocks
///   2   4 nodes, 2 rounds  half blocks of both lattices; dominating sets; blocks
///   3   16 nodes, 3 rounds dominating sets, then blocks of both lattices; dominating sets; blocks
///
/// Cost: 2k + 1 rounds, the lower bound ceil(log5 16^k) being 2k; N - 1 sends, no duplicate. Legal
/// from every node of all three meshes, by simulation. Time O(hops).
///
/// Throws PreconditionError for another grid (larger k: no construction is known here) and for a
/// source that it does not have.
///
/// Source: CS838 lecture notes (1999), section 11, "Extended dominating set approach", which gives
/// the idea and the rounds for k = 2; its figure is lost. The lattices, the start from any source
/// and k = 3 are flitcast's. A level has two lattices, because one with the same place in every
/// block cannot inform the dominating sets of M(16,16) in one XY round (a SAT solver refutes all 16
/// places).
Plan extended_dominating_nodes_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
