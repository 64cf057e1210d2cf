// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/binomial_tree.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/forwarding/forwarding.h"
#include "collective/precondition.h"

namespace flitcast {
namespace {

// Output d leads across dimension d.
std::vector<PortId> outputs_in_order(std::size_t dimension, std::vector<std::size_t> order) {
  std::vector<std::size_t> ascending(dimension);
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  if (order.empty()) order = ascending;
  if (!std::is_permutation(order.begin(), order.end(), ascending.begin(), ascending.end())) {
    throw std::invalid_argument("the order must name every dimension of the hypercube once");
  }
  std::vector<PortId> outputs;
  for (const std::size_t d : order) outputs.push_back(PortId{static_cast<std::uint16_t>(d)});
  return outputs;
}

}  // namespace

Plan binomial_broadcast(const Hypercube& cube, NodeId source, unsigned ports,
                        const std::vector<std::size_t>& order) {
  require_source(cube, source);
  require_one_or_all_ports("spanning binomial tree", ports);
  const std::vector<PortId> outputs = outputs_in_order(cube.dimension(), order);

  const auto rule = [&outputs](NodeId, const std::vector<Channel>& arrivals) {
    auto first = outputs.begin();
    if (!arrivals.empty()) {
      first = std::find(outputs.begin(), outputs.end(), arrivals.front().from.port) + 1;
    }
    return std::vector<PortId>(first, outputs.end());
  };
  return {relay(cube, source, ports == 1, rule),
          {cube.dimension(), false, cube.node_count() - 1, 0}};
}

namespace {

Collective make_binomial_tree(const Section&, const CollectiveContext& context) {
  const auto& cube = require_family<Hypercube>(context);
  return one_to_all(context, {Switching::kStoreAndForward, context.ports},
                    binomial_broadcast(cube, context.source, context.ports));
}

RouterForwarding forward_binomial_tree(const Section&, const CollectiveContext& context,
                                       std::size_t virtual_channels) {
  return binomial_forwarding(require_family<Hypercube>(context), context.source, virtual_channels);
}

}  // namespace

CollectiveEntry binomial_tree_collective() {
  return {{"binomial_tree",
           "Hypercubes, one port or all: spanning binomial tree.",
           {forwarding_param()},
           make_binomial_tree},
          {Operation::kBroadcast},
          true,
          forward_binomial_tree};
}

}  // namespace flitcast
