// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast {

/// The checksum of 64 bits, never 0, that stands for the pseudo-random bytes of a chunk.
/// @param length  Flits of the chunk; O(length) time.
std::uint64_t chunk_checksum(std::uint64_t seed, std::uint32_t chunk, std::uint32_t length);

}  // namespace flitcast
