// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// By source: its destination.
using DestinationTable = std::vector<NodeId>;

/// floor(log2(count)) for count >= 1.
std::size_t bit_count(std::size_t count);

/// True if count = 2^b with b a multiple of `step`.
bool is_power_of_two(std::size_t count, std::size_t step = 1);

// Permutations of the b bits of a node's number s, defined on 2^b nodes.
//
//   bit_complement   d_i = not s_i
//   bit_reverse      d_i = s_(b-1-i)
//   shuffle          d_i = s_(i-1 mod b), a rotation to the left
//   bit_rotation     d_i = s_(i+1 mod b), a rotation to the right
//   transpose        d_i = s_(i+b/2 mod b); for an odd b the middle bit stays, and the
//                    floor(b/2) bits on its sides change places
//   transpose_midflip  the same, then bit floor(b/2) is inverted
//
// All throw std::invalid_argument unless node_count = 2^b.
DestinationTable bit_complement(std::size_t node_count);
DestinationTable bit_reverse(std::size_t node_count);
DestinationTable shuffle(std::size_t node_count);
DestinationTable bit_rotation(std::size_t node_count);
DestinationTable transpose(std::size_t node_count);
DestinationTable transpose_midflip(std::size_t node_count);

/// Transpose of a square grid: the node at (x, y) sends to (y, x). On 2^b x 2^b nodes it equals
/// transpose(), but it is defined for every side.
DestinationTable transpose_square(std::size_t side);

/// True if a permutation of the bits of the node number puts bits of several coordinates into one,
/// so that it ignores the grid.
/// @param table  The table of one of the bit permutations above.
/// @param grid   Sizes, powers of two, dimension 0 fastest, as Topology::node_grid().
bool mixes_coordinates(const DestinationTable& table, const std::vector<std::size_t>& grid);

/// Moves the coordinate x of every dimension of size k to x + ceil(k/2) - 1 mod k: almost half way
/// round, all in one direction, which under minimal routing leaves the channels of the other
/// direction idle.
/// @param grid  Sizes, dimension 0 fastest, as in Topology::node_grid(); the coordinate stays in
/// dimensions of size 1.
DestinationTable tornado(const std::vector<std::size_t>& grid);
/// Moves the coordinate x of every dimension of size k to x + 1 mod k.
DestinationTable neighbour(const std::vector<std::size_t>& grid);

/// A random permutation, by Fisher and Yates' shuffle over SplitMix64(seed): for i from N - 1 down
/// to 1, swap entry i with entry next() mod (i + 1). The plain remainder is part of the definition,
/// so that other programs can regenerate the instance: seed 1 on 8 nodes is 4 3 2 7 5 6 0 1.
DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count);

/// Independent uniform destinations from SplitMix64(seed), in the order of the nodes: next() mod N
/// for each. Some nodes get several packets, others none. Seed 1 on 8 nodes is 1 7 6 3 1 0 5 5.
DestinationTable random_function(std::uint64_t seed, std::size_t node_count);

/// A packet of an instance: its source and its destination.
struct Transfer {
  NodeId from{};
  NodeId to{};
};

/// The packets to be routed. They are numbered in this order, which breaks ties; in permutations
/// and functions it is the order of their sources. Nodes without a packet are idle.
using Instance = std::vector<Transfer>;

/// The places at which packets of an instance start and end, numbered from 0.
struct InstanceContext {
  std::vector<std::size_t> grid;  ///< The sizes, dimension 0 fastest, as in Topology::node_grid().
  std::string network;            ///< The name of the network for messages: "mesh 8x8".
  bool is_cube = false;           ///< All sizes are at most 2; permutations of the halves of the
                                  ///< bits then keep a middle bit.
  std::uint64_t run = 0;          ///< The repetition, counted from 0; it is added to the seed.

  std::size_t places() const;
};

/// Makes the instance; for sizes on which it is not defined, throws ConfigError with the nearest
/// sizes that work.
using InstanceMaker = Instance (*)(const Section& workload, const InstanceContext& context);

struct InstanceEntry : CatalogEntry<InstanceMaker> {
  /// The arguments that the user writes after the name.
  enum class Form { kName, kNumber, kNumbers };
  Form form = Form::kName;
};

/// The catalog of instances that a user can name under workload.permutation, and can add to.
Catalog<InstanceEntry>& permutation_instances();

/// The key workload.permutation.
Param permutation_param();

/// The instance that workload.permutation selects.
Instance make_instance(const Section& workload, const InstanceContext& context);

/// The instance of a table: one packet from every place to the destination in the table.
Instance instance_of(const DestinationTable& table);

/// The worst instance known for XY with farthest-first queues on an n x n mesh, called WB(n): it
/// fills one queue with max(2, ceil(2n/3) - 1) packets (1 for n = 2), the most for any permutation.
/// For r = 0, 1 and every column c, packets for (c, r + 1), (c, r + 2), ... reach column c along
/// row r, alternately from both sides, besides one that starts in the column; the result is the
/// (r, c) with the longest queue. Nodes (x, y) are numbered y * columns + x. Source: the counting
/// argument of CS838 lecture notes (1999), section 9, "Permutation routing in mesh-based networks",
/// with its bound 2n/3 - 1 rounded up.
/// @param columns, rows  At least 1.
Instance worst_buffer(std::size_t columns, std::size_t rows);

/// An instance B3(k) on the k x k x k mesh that refutes the claim of the same notes that dimension
/// order takes at most n(k - 1) steps: k * floor(k/2) packets of the plane z = 0 cross one link of
/// dimension 1, so it takes at least as many steps.
Instance worst_dimension_order(std::size_t side);

/// The longest queue, in packets and including the packet that leaves, that any complete or partial
/// permutation can cause under XY with farthest-first queues on a mesh: on n x n for n >= 3
/// max(2, ceil(2n/3) - 1). The most packets held besides the heads of queues is one less.
///
///   max over r = 0, 1, columns c, t >= 1 with a(t) >= t of min(rows - 1 - r, a(t)) - (t - 1),
///   a(t) = min(t, c) + min(t, columns - 1 - c) + r t
///
/// packets reach column c in row r in t steps, and all but one a step stay in the queue. Source:
/// CS838 lecture notes (1999), section 9, whose 2n/3 - 1 has to be rounded up.
/// @param columns, rows  At least 1.
std::size_t most_queued_under_xy(std::size_t columns, std::size_t rows);

}  // namespace flitcast
