// SPDX-License-Identifier: Apache-2.0
// Store-and-forward broadcasts in which the number of informed nodes doubles.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/forwarding/forwarding.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "topology/hypercube.h"

namespace flitcast {
namespace {

/// One-to-all broadcast along the spanning binomial tree of the n-cube, store-and-forward.
///
/// A node that was reached across dimension d forwards across all higher dimensions, and the source
/// across all; output d leads across dimension d. With one port it uses one dimension a round, in
/// ascending order, and round i informs 2^(i-1) nodes; with all ports it uses all of them in the
/// round after the receipt, and round i informs C(n,i) nodes.
///
/// Cost: n rounds and 2^n - 1 sends in both port models; all minimal.
///
/// @param ports  1 or kAllPorts; anything else throws PreconditionError, as does a source that is
///   not a node.
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast",
/// Hypercube.
Plan binomial_broadcast(const Hypercube& cube, NodeId source, unsigned ports) {
  require(source_exists(cube, source));
  require(one_or_all_ports("spanning binomial tree", ports));
  const auto rule = [&cube](NodeId, const std::vector<Channel>& arrivals) {
    const std::size_t first = arrivals.empty() ? 0 : index(arrivals.front().from.port) + 1U;
    return mapped(numbers(first, cube.dimension()), to_id<PortId>);
  };
  return {
      relay(cube, source, ports == 1, rule),
      {cube.dimension(), false, cube.node_count() - 1, 0},
      {{ports == 1 ? "broadcast.sbt.one_port" : "broadcast.sbt.all_port", "n", cube.dimension()}}};
}

Collective make_binomial_tree(const Section&, const CollectiveContext& context) {
  const auto& cube = family_of<Hypercube>(context);
  return one_to_all(context, {Switching::kStoreAndForward, context.ports},
                    binomial_broadcast(cube, context.source, context.ports));
}

RouterForwarding forward_binomial_tree(const Section&, const CollectiveContext& context,
                                       std::size_t virtual_channels) {
  return binomial_forwarding(family_of<Hypercube>(context), context.source, virtual_channels);
}

/// One-to-all broadcast on the complete graph by doubling, store-and-forward and one-port: every
/// informed node sends to one other in a round.
///
/// Cost: ceil(log2 p) rounds and p - 1 sends for p nodes; both are minimal.
/// A source that is not a node throws PreconditionError.
/// Source: CS838 lecture notes (1999), section 11, "EREW PRAM", which says that the algorithm works
/// on the one-port complete network; the ranks, for p other than powers of two, are flitcast's.
Plan doubling_broadcast(const Complete& network, NodeId source) {
  require(source_exists(network, source));
  const std::size_t nodes = network.node_count();
  const std::size_t rounds = ceil_log(2, nodes);
  return {growing_broadcast(nodes, source, 1),
          {rounds, false, nodes - 1, 0},
          {{"broadcast.complete.doubling", "ceil(log2 p)", rounds}}};
}

}  // namespace

CollectiveEntry doubling_collective() {
  return broadcast_entry<Complete, doubling_broadcast, Switching::kStoreAndForward, 1>(
      "doubling", "Complete graphs, one port: the informed set doubles.");
}

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
