// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/doubling.h"

#include <cstddef>
#include <cstdint>

#include "collective/lower_bounds.h"
#include "collective/precondition.h"

namespace flitcast {

Plan doubling_broadcast(const Complete& network, NodeId source) {
  require_source(network, source);
  const std::size_t nodes = network.node_count();
  const auto node = [nodes, source](std::size_t rank) {
    return NodeId{static_cast<std::uint32_t>((index(source) + rank) % nodes)};
  };
  Plan plan{{}, {ceil_log(2, nodes), false, nodes - 1, 0}};
  for (std::size_t informed = 1; informed < nodes; informed *= 2) {
    const PortId output{static_cast<std::uint16_t>(informed - 1)};  // To the rank `informed` above.
    plan.schedule.begin_round();
    for (std::size_t rank = 0; rank < informed && rank + informed < nodes; ++rank) {
      plan.schedule.add(node(rank), node(rank + informed), ChunkId{0}, output);
    }
  }
  return plan;
}

}  // namespace flitcast
