// SPDX-License-Identifier: Apache-2.0
#include "base/destination_groups.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitcast {

DestinationGroups::DestinationGroups(std::size_t nodes) : nodes_(nodes) {
  members_.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) members_.push_back({NodeId{node}});
}

NodeId DestinationGroups::add(std::vector<NodeId> members) {
  std::sort(members.begin(), members.end());
  const bool repeated = std::adjacent_find(members.begin(), members.end()) != members.end();
  if (members.empty() || repeated || index(members.back()) >= nodes_) {
    throw std::invalid_argument("a group needs members, each once, among the network's nodes");
  }
  if (members.size() == 1) return members.front();
  if (free_.empty()) {
    free_.push_back(NodeId{static_cast<std::uint32_t>(members_.size())});
    members_.emplace_back();
  }
  const NodeId group = free_.back();
  free_.pop_back();
  members_[index(group)] = std::move(members);
  return group;
}

void DestinationGroups::remove(NodeId group) {
  if (index(group) < nodes_) return;
  members_[index(group)].clear();
  free_.push_back(group);
}

}  // namespace flitcast
