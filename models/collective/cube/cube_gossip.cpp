// SPDX-License-Identifier: Apache-2.0
#include "collective/cube/cube_gossip.h"

#include <cstdint>

#include "collective/cube/cube_numbering.h"
#include "collective/precondition.h"

namespace flitcast {
namespace {

Claim gossip_claim(std::size_t n) {
  const std::size_t others = (std::size_t{1} << n) - 1;
  return {n == 0 ? 0 : (others + n - 1) / n, false, gossip_sends(others + 1, 1), 0};
}

/// Every source's chunk makes its last hop to the node at `address` from it.
void add_translates(Schedule& schedule, std::uint32_t address, std::size_t dimension,
                    std::size_t nodes) {
  const std::uint32_t previous = address ^ std::uint32_t{1} << dimension;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    schedule.add(NodeId{source ^ previous}, NodeId{source ^ address}, ChunkId{source},
                 PortId{static_cast<std::uint16_t>(dimension)});
  }
}

}  // namespace

Plan cube_gossip(const Hypercube& cube) {
  const std::size_t n = cube.dimension();
  Plan plan{{}, gossip_claim(n)};
  require_sends(cube, *plan.claim.transmissions, "use a hypercube of dimension 14 or less");
  plan.schedule.reserve(*plan.claim.transmissions);
  std::size_t entry = 0;
  for (const std::uint32_t address : cube_numbering(n)) {
    const std::size_t dimension = entry++ % n;
    if (dimension == 0) plan.schedule.begin_round();
    add_translates(plan.schedule, address, dimension, cube.node_count());
  }
  return plan;
}

}  // namespace flitcast
