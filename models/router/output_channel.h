// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast {

/// The channel behind an output of a router.
struct OutputChannel {
  std::uint32_t cycles_per_flit = 1;
  std::uint32_t latency = 1;  ///< Cycles of flight.
  bool to_node = false;
};

}  // namespace flitcast
