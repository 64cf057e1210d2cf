// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Who sends to whom? The spatial half of random traffic.
///
/// Immutable and shared by all nodes; what a pattern draws comes from the asking node's own stream,
/// so a node's destinations depend on no other node.
/// Source of the patterns: Dally and Towles, Principles and Practices of Interconnection Networks
/// (2004), section 3.2.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// The destination of the next packet of `source`; may be the source itself.
  virtual NodeId destination(NodeId source, Random& random) const = 0;

  /// The share of what `source` sends that goes to `destination`, 0 to 1: what the analysis of
  /// channel loads rests on. Absent if the pattern does not tell. One whose destinations are fixed,
  /// so that it draws nothing, need not say more.
  virtual std::optional<double> share(NodeId source, NodeId destination) const {
    Random random(0);
    const NodeId drawn = this->destination(source, random);
    if (random.next() != Random(0).next()) return std::nullopt;
    return drawn == destination ? 1 : 0;
  }

  /// What a user may not expect of it on its topology; mostly nothing.
  virtual std::string note() const { return {}; }
};

/// Makes the pattern for the nodes of `topology`; throws ConfigError where it is not defined on
/// them.
using PatternMaker = std::unique_ptr<Pattern> (*)(const Section& workload,
                                                  const Topology& topology);

using PatternEntry = CatalogEntry<PatternMaker>;

/// The patterns that a user can name under workload.pattern, open to more.
Catalog<PatternEntry>& patterns();

/// Every node is equally likely, anew for every packet.
class Uniform : public Pattern {
 public:
  /// @param node_count    At least 1; at least 2 without the source, else std::invalid_argument.
  /// @param include_self  Whether a node may send to itself, as in the usual definition.
  explicit Uniform(std::size_t node_count, bool include_self = true);

  NodeId destination(NodeId source, Random& random) const override;
  std::optional<double> share(NodeId source, NodeId destination) const override;

 private:
  const std::uint64_t node_count_;
  const bool include_self_;
};

/// The destination of every node, by source.
using DestinationTable = std::vector<NodeId>;

/// Every node sends all its packets to one fixed node; no two nodes to the same.
class Permutation : public Pattern {
 public:
  explicit Permutation(DestinationTable destinations, std::string note = {})
      : destinations_(std::move(destinations)), note_(std::move(note)) {}

  NodeId destination(NodeId source, Random&) const override { return destinations_[index(source)]; }
  std::string note() const override { return note_; }

 private:
  const DestinationTable destinations_;
  const std::string note_;
};

/// Permutations of the b bits of a node's number s; defined on 2^b nodes.
///
///   bit_complement   d_i = not s_i
///   bit_reverse      d_i = s_(b-1-i)
///   shuffle          d_i = s_(i-1 mod b), a rotation to the left
///   transpose        d_i = s_(i+b/2 mod b), b even
///
/// The functions demand node_count = 2^b, transpose with an even b; anything else throws
/// std::invalid_argument.
DestinationTable bit_complement(std::size_t node_count);
DestinationTable bit_reverse(std::size_t node_count);
DestinationTable shuffle(std::size_t node_count);
DestinationTable transpose(std::size_t node_count);

/// Transpose of a square grid: the node at (x, y) sends to (y, x). On 2^b x 2^b nodes this is
/// transpose(), but it exists for every side.
DestinationTable transpose_square(std::size_t side);

/// Whether a permutation of the bits of the node number joins bits of several coordinates in one,
/// so that it pays no heed to the grid.
/// @param table  One of the four above.
/// @param grid   Sizes, powers of two, dimension 0 fastest, as Topology::node_grid().
bool mixes_coordinates(const DestinationTable& table, const std::vector<std::size_t>& grid);

/// Permutations that shift the coordinate x of every dimension of size k round the dimension.
///
///   tornado     x + ceil(k/2) - 1 mod k: almost half-way round, all in one direction, which leaves
///               the other half of a ring's channels idle under minimal routing
///   neighbour   x + 1 mod k
///
/// @param grid  Sizes, dimension 0 fastest, as Topology::node_grid(); sizes of 1 shift nothing.
DestinationTable tornado(const std::vector<std::size_t>& grid);
DestinationTable neighbour(const std::vector<std::size_t>& grid);

/// A permutation drawn once, by Fisher and Yates' shuffle over SplitMix64(seed): for i from N - 1
/// down to 1, swap entry i with entry next() mod (i + 1). The plain remainder is part of the
/// definition, so that anyone can regenerate the instance: seed 1 on 8 nodes is 4 3 2 7 5 6 0 1.
DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count);

}  // namespace flitcast
