// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "collective/demand.h"

namespace flitcast {

/// The values of the chunks, or of the sums, that the nodes of a collective operation know.
///
/// The value of a chunk, which packets carry, is a pseudo-random number of 64 bits that stands for
/// its bytes. The value of a sum is that of its contributions modulo 2^64; in a barrier it is the
/// set of nodes that have arrived, in which node q is bit q mod 64. A node forwards the value that
/// it received, so that every error shows at the end. The ledger takes 8 bytes for every node and
/// chunk; if there are more than kMostEntries such pairs, some 50 bytes for every chunk that a node
/// holds.
class ChunkLedger {
 public:
  static constexpr std::uint64_t kNothing = 0;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 28;

  /// Forms a sum: addition modulo 2^64, or the union of bits.
  using Sum = std::uint64_t (*)(std::uint64_t, std::uint64_t);
  static Sum sum_for(const Demand& demand);

  /// True if nodes must know at most kMostEntries chunks at the end, and the product of nodes and
  /// chunks is at most eight times kMostEntries.
  static bool has_space_for(const Demand& demand);

  /// Initially only the origins hold their chunks. Throws std::length_error unless has_space_for().
  ChunkLedger(const Demand& demand, std::uint64_t seed);

  const Demand& demand() const { return demand_; }
  /// The value that `node` sends in a message that carries this chunk or sum.
  std::uint64_t held(NodeId node, ChunkId carried) const;
  /// Enters the value of a received chunk or sum. Returns whether it was new for the node; always
  /// true for sums, which are never useless in a legal schedule.
  bool receive(NodeId node, ChunkId carried, std::uint64_t payload);

  /// The number of chunks that nodes should hold at the end but lack or hold with a wrong value,
  /// and of sums with a wrong value.
  std::uint64_t wrong() const { return demand_.adds_up() ? wrong_sums() : wrong_chunks(); }

 private:
  std::uint64_t entry(NodeId node, ChunkId carried) const {
    return index(node) * columns_ + (demand_.adds_up() ? block_of(carried) : index(carried));
  }
  std::uint64_t known(NodeId node, ChunkId carried) const;
  void enter(NodeId node, ChunkId carried, std::uint64_t payload) {
    (entries_.empty() ? few_entries_[entry(node, carried)] : entries_[entry(node, carried)]) =
        payload;
  }
  std::uint64_t contribution(ChunkId chunk) const;
  std::uint64_t plus(std::uint64_t a, std::uint64_t b) const { return sum_for(demand_)(a, b); }
  std::uint64_t wrong_chunks() const;
  std::uint64_t wrong_sums() const;

  Demand demand_;
  std::uint64_t seed_;
  // The entries of a node: one for every chunk, or one for the sum of every block.
  std::size_t columns_;
  std::vector<std::uint64_t> entries_;
  // Used if entries_ would be too large.
  std::unordered_map<std::uint64_t, std::uint64_t> few_entries_;
};

}  // namespace flitcast
