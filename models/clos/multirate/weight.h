// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/ids.h"

namespace flitcast::clos {

/// Bandwidth in equal parts of what a link or a port carries.
using Weight = std::uint32_t;

/// The parts of a link, and the fewest that a connection takes.
struct WeightRange {
  Weight capacity = 1;  ///< W, from 1 to kMostCapacity.
  Weight least = 1;     ///< b W, from 1 to the capacity.

  /// K: most connections that share a link.
  Weight connections_per_link() const { return capacity / least; }
};

inline constexpr Weight kMostCapacity = 1U << 30;

/// A request for a multicast that takes its weight of every port and link that carries it.
struct MultirateRequest {
  InputId input{};
  std::vector<OutputId> outputs{};
  Weight weight = 1;
};

}  // namespace flitcast::clos
