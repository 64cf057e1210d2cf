// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "collective/precondition.h"
#include "topology/topology.h"

namespace flitcast {

/// Most sends of a generated schedule: 4.5 GiB of them, well within the 32 bits of Send::first_hop.
inline constexpr std::size_t kMostSends = std::size_t{1} << 28;

/// What an algorithm throws that needs more than kMostSends, before it takes the memory.
/// @param remedy  With the largest instance that fits: "use a hypercube of dimension 14 or less".
inline PreconditionError too_many_sends(const Topology& topology, std::size_t sends,
                                        std::string remedy) {
  return {PreconditionError::Subject::kTopology,
          "the schedule for " + topology.name() + " has " + std::to_string(sends) +
              " sends, more than " + std::to_string(kMostSends),
          std::move(remedy)};
}

}  // namespace flitcast
