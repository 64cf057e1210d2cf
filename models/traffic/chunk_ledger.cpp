// SPDX-License-Identifier: Apache-2.0
#include "traffic/chunk_ledger.h"

#include <stdexcept>

#include "traffic/chunk_checksum.h"

namespace flitcast {

ChunkLedger::ChunkLedger(const Demand& demand, std::uint32_t length, std::uint64_t seed)
    : demand_(demand), length_(length), seed_(seed) {
  if (demand.chunks() > kMostEntries / demand.nodes) {
    throw std::length_error("nodes times chunks exceed the ledger's 2^28 entries");
  }
  entries_.assign(demand.nodes * demand.chunks(), kNothing);
  for (std::uint32_t c = 0; c < demand.chunks(); ++c) {
    entries_[entry(demand.origin(ChunkId{c}), ChunkId{c})] = checksum(ChunkId{c});
  }
}

std::uint64_t ChunkLedger::checksum(ChunkId chunk) const {
  return chunk_checksum(seed_, index(chunk), length_);
}

std::uint64_t ChunkLedger::wrong() const {
  std::uint64_t wrong = 0;
  for (std::uint32_t c = 0; c < demand_.chunks(); ++c) {
    const std::uint64_t right = checksum(ChunkId{c});
    for (std::uint32_t n = 0; n < demand_.nodes; ++n) {
      wrong += demand_.wants(NodeId{n}, ChunkId{c}) && held(NodeId{n}, ChunkId{c}) != right;
    }
  }
  return wrong;
}

}  // namespace flitcast
