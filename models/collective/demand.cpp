// SPDX-License-Identifier: Apache-2.0
#include "collective/demand.h"

namespace flitcast {

std::size_t Demand::chunks() const {
  switch (operation) {
    case Operation::kBroadcast:
      return 1;
    case Operation::kGossip:
      return nodes * chunks_per_node;
    case Operation::kScatter:
      return nodes;
    case Operation::kAllToAllScatter:
      return nodes * nodes;
  }
  return 0;
}

NodeId Demand::origin(ChunkId chunk) const {
  const bool one_to_all = operation == Operation::kBroadcast || operation == Operation::kScatter;
  return one_to_all ? source : NodeId{static_cast<std::uint32_t>(index(chunk) % nodes)};
}

bool Demand::wants(NodeId node, ChunkId chunk) const {
  if (operation == Operation::kScatter) return index(chunk) == index(node);
  if (operation == Operation::kAllToAllScatter) return index(chunk) / nodes == index(node);
  return true;
}

}  // namespace flitcast
