// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "collective/demand.h"
#include "collective/schedule.h"

namespace flitcast {

/// The dependency of a send whose chunk is the sender's own.
inline constexpr std::uint32_t kNoSend = ~std::uint32_t{0};

/// By send: the number of the send that first brought its chunk to its sender, or kNoSend where the
/// sender is the chunk's origin. A self-timed player, which keeps no rounds, waits for this send. A
/// dependency lies in an earlier round, hence has the smaller number.
///
/// Throws std::invalid_argument if a sender does not hold its chunk before the round, or if a send
/// names a node that does not exist. O(sends + nodes + chunks) time and memory.
std::vector<std::uint32_t> dependencies(const Schedule& schedule, const Demand& demand);

}  // namespace flitcast
