// SPDX-License-Identifier: Apache-2.0
// A user's collective: the source sends to one node after the other, over any network.
#include "extension.h"

namespace {

using namespace flitcast;

/// Takes N - 1 rounds of one message each, along the paths of the network's routing.
Collective one_by_one(const Section&, const CollectiveContext& context) {
  const auto nodes = static_cast<std::uint32_t>(context.topology.node_count());
  Plan plan;
  for (std::uint32_t rank = 1; rank < nodes; ++rank) {
    plan.schedule.begin_round();
    plan.schedule.add(context.source, NodeId{(index(context.source) + rank) % nodes}, ChunkId{0});
  }
  plan.claim.rounds = nodes - 1;
  return one_to_all(context, {Switching::kAnyNetwork, 1}, std::move(plan));
}

}  // namespace

flitcast::CollectiveEntry one_by_one_collective() {
  return {{"one_by_one", "Any network: a message to one node after the other.", {}, one_by_one},
          {Operation::kBroadcast}};
}
