// SPDX-License-Identifier: Apache-2.0
#include "collective/send_limit.h"

#include "collective/precondition.h"

namespace flitcast {

void require_sends(const Topology& topology, std::size_t sends, const std::string& remedy) {
  if (sends <= kMostSends) return;
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          "the schedule for " + topology.name() + " has " + std::to_string(sends) +
                              " sends, more than " + std::to_string(kMostSends),
                          remedy);
}

std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node) {
  return chunks_per_node * nodes * (nodes - 1);
}

void require_gossip_sends(const Topology& topology, std::size_t chunks_per_node) {
  std::size_t fitting = topology.node_count();
  while (gossip_sends(fitting, chunks_per_node) > kMostSends) --fitting;
  require_sends(topology, gossip_sends(topology.node_count(), chunks_per_node),
                "use at most " + std::to_string(fitting) + " nodes");
}

}  // namespace flitcast
