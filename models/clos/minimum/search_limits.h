// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace flitcast::clos {

/// What a search may use up. Reaching a limit ends it without a verdict.
struct SearchLimits {
  std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_bytes = std::uint64_t{8} << 30;
  /// Asked every few milliseconds; true ends the search. None: never.
  std::function<bool()> stop{};
};

/// How a search ended.
enum class SearchOutcome {
  kBlocks,       ///< Some reachable state blocks some valid request.
  kNeverBlocks,  ///< None does.
  kNoVerdict,    ///< A limit was reached.
};

}  // namespace flitcast::clos
