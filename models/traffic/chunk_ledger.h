// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "collective/demand.h"

namespace flitcast {

/// Which bytes of which chunks the nodes of a collective operation hold.
///
/// A chunk's bytes are pseudo-random and stand in the ledger as a checksum of 64 bits, which is
/// what packets carry. A node that forwards a chunk sends the checksum that it received, so
/// whatever goes wrong on the way shows at the end. 8 bytes for every node and chunk.
class ChunkLedger {
 public:
  static constexpr std::uint64_t kNothing = 0;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 28;

  /// The origins hold their chunks. Throws std::length_error beyond kMostEntries.
  /// @param length  Flits of a chunk.
  ChunkLedger(const Demand& demand, std::uint32_t length, std::uint64_t seed);

  std::uint64_t held(NodeId node, ChunkId chunk) const { return entries_[entry(node, chunk)]; }
  void receive(NodeId node, ChunkId chunk, std::uint64_t payload) {
    entries_[entry(node, chunk)] = payload;
  }

  /// Chunks that nodes have to hold by now and do not, or with other bytes than their origin's.
  std::uint64_t wrong() const;

 private:
  std::size_t entry(NodeId node, ChunkId chunk) const {
    return index(node) * demand_.chunks() + index(chunk);
  }
  std::uint64_t checksum(ChunkId chunk) const;

  Demand demand_;
  std::uint32_t length_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> entries_;
};

}  // namespace flitcast
