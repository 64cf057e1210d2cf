// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/structure.h"

namespace flitcast::clos {

/// A (2k + 1)-stage network: a three-stage one whose middle switches are (2k - 1)-stage networks
/// themselves. Those of the innermost level are crossbars.
///
/// Level 0 is the whole network; level l + 1 consists of the middle switches of level l, so its
/// networks have as many inputs and outputs as level l has input and output switches. For a
/// symmetric network with plan (n, r, m): r = n r of the next level.
/// Source: CS838 lecture notes (1999), Theorem 5; Yang and Masson, IEEE Transactions on Computers
/// 40 (1991).
struct MultistageStructure {
  std::vector<Structure> levels;  ///< Outermost first.

  /// 2k + 1.
  std::size_t stages() const { return 2 * levels.size() + 1; }
  /// Networks of a level: the product of m over the levels around it.
  std::uint64_t networks(std::size_t level) const;
  /// Crosspoints of all crossbars.
  std::uint64_t crosspoints() const;
};

/// Throws std::invalid_argument with every reason why there is no such network: no level, a level
/// that cannot be built or does not fit the one around it, more than kMostMiddles middle switches
/// in a level.
void require_buildable(const MultistageStructure& structure);
inline constexpr std::uint64_t kMostMiddles = 1U << 24;

}  // namespace flitcast::clos
