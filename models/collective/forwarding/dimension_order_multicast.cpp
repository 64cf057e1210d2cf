// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/dimension_order_multicast.h"

#include <cstdint>
#include <limits>
#include <string>

#include "collective/dimension_order_rule.h"
#include "collective/precondition.h"

namespace flitcast {
namespace {

void require_countable(const Grid& grid) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::size_t others = grid.size(d) - 1;
    const std::size_t longest = grid.wraps(d) ? (others + 1) / 2 : others;
    if (longest <= kMost) continue;
    throw PreconditionError(PreconditionError::Subject::kTopology,
                            "the hop counter of a packet counts to " + std::to_string(kMost) +
                                " nodes, a line of " + grid.name() + " may serve " +
                                std::to_string(longest),
                            "stop by the source's address");
  }
}

}  // namespace

DimensionOrderMulticast::DimensionOrderMulticast(const Grid& grid, StopRule rule,
                                                 std::size_t virtual_channels)
    : RouterBroadcast(grid.local(), virtual_channels), grid_(grid), rule_(rule) {
  if (rule == StopRule::kHopCounter) require_countable(grid);
}

void DimensionOrderMulticast::pass_on(const RouteRequest& request, Branches& branches) const {
  const NodeId here{index(request.router)};
  const bool counted = rule_ == StopRule::kHopCounter;
  const TreeCopies copies = counted
                                ? copies_by_counter(grid_, here, request.input, request.reach)
                                : copies_by_source(grid_, here, request.input, request.destination);
  for (const TreeCopy& copy : copies) {
    branches.add({copy.output, all_, static_cast<std::uint16_t>(counted ? copy.reach : 0)});
  }
}

}  // namespace flitcast
