// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "collective/demand.h"

namespace flitcast {

/// What the nodes of a collective operation know: which bytes of which chunks, or what sum.
///
/// A chunk's bytes are pseudo-random and stand in the ledger as a checksum of 64 bits, which is
/// what packets carry; a sum of contributions as their sum modulo 2^64; the nodes that have come to
/// a barrier as bits, node q's the bit q mod 64. A node that forwards sends what it received, so
/// whatever goes wrong on the way shows at the end. 8 bytes for every node and chunk; where those
/// are more than kMostEntries, some 50 bytes for every chunk that a node holds.
class ChunkLedger {
 public:
  static constexpr std::uint64_t kNothing = 0;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 28;

  /// How sums are formed: addition modulo 2^64, or the union of bits.
  using Sum = std::uint64_t (*)(std::uint64_t, std::uint64_t);
  static Sum sum_for(const Demand& demand);

  /// Whether the chunks that nodes must know at the end are at most kMostEntries, and nodes times
  /// chunks at most eight times as many.
  static bool has_space_for(const Demand& demand);

  /// The origins hold their chunks. Throws std::length_error where there is no room.
  /// @param length  Flits of a chunk.
  ChunkLedger(const Demand& demand, std::uint32_t length, std::uint64_t seed);

  const Demand& demand() const { return demand_; }
  /// What `node` would send in a message that carries this: a chunk or its sum.
  std::uint64_t held(NodeId node, ChunkId carried) const;
  /// Enters what a message that carries this brought. Returns whether it told the node something
  /// new; of sums, which a legal schedule never tells in vain, always.
  bool receive(NodeId node, ChunkId carried, std::uint64_t payload);

  /// Chunks that nodes have to hold by now and do not, or with other bytes than their origin's, and
  /// sums that are not those of what they should contain.
  std::uint64_t wrong() const;

 private:
  std::uint64_t entry(NodeId node, ChunkId carried) const {
    return index(node) * columns_ + (demand_.adds_up() ? block_of(carried) : index(carried));
  }
  std::uint64_t known(NodeId node, ChunkId carried) const;
  void enter(NodeId node, ChunkId carried, std::uint64_t payload);
  std::uint64_t contribution(ChunkId chunk) const;
  std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) const { return sum_for(demand_)(a, b); }
  std::uint64_t wrong_at(NodeId node, const std::vector<std::uint64_t>& contributions) const;

  Demand demand_;
  std::uint32_t length_;
  std::uint64_t seed_;
  std::size_t columns_;  // Entries of a node: one for every chunk, or for the sum of every block.
  std::vector<std::uint64_t> entries_;
  std::unordered_map<std::uint64_t, std::uint64_t> few_entries_;  // Instead, where there are many.
};

}  // namespace flitcast
