// SPDX-License-Identifier: Apache-2.0
#include "traffic/chunk_checksum.h"

#include "base/random.h"

namespace flitcast {

std::uint64_t chunk_checksum(std::uint64_t seed, std::uint32_t chunk, std::uint32_t length) {
  Random bytes = Random::stream(seed, chunk);
  std::uint64_t sum = 1;
  for (std::uint32_t flit = 0; flit < length; ++flit) {
    sum = Random(sum ^ bytes.next()).next();
    sum = Random(sum ^ bytes.next()).next();
  }
  return sum == 0 ? 1 : sum;
}

}  // namespace flitcast
