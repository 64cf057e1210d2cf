// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/hamiltonian_forwarding_table.h"

namespace flitcast {

// Input p faces the neighbour that output p leads to: what goes forward comes in by the port that
// leads backward.
ForwardingTable hamiltonian_forwarding_table(const Grid& torus,
                                             const std::vector<HamiltonianCycle>& cycles,
                                             std::size_t virtual_channels) {
  const std::size_t directions = index(torus.local());
  std::vector<PortId> onward(torus.node_count() * directions);
  for (const HamiltonianCycle& cycle : cycles) {
    for (std::size_t i = 0; i < cycle.nodes.size(); ++i) {
      const std::size_t first = index(cycle.nodes[i]) * directions;
      onward[first + index(cycle.backward[i])] = cycle.forward[i];
      onward[first + index(cycle.forward[i])] = cycle.backward[i];
    }
  }
  const auto rule = [&](RouterId router, PortId input) -> ForwardingTable::Entry {
    if (index(input) < directions) {
      return {{{onward[index(router) * directions + index(input)]}}, true};
    }
    return {{{PortId{static_cast<std::uint16_t>(index(input) - directions)}}}, false};
  };
  return ForwardingTable(torus, rule, virtual_channels);
}

}  // namespace flitcast
