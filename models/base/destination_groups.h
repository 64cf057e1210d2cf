// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The destination sets of multicast packets, whose headers name a set instead of a node.
///
/// A NodeId identifies a group: ids below nodes() stand for single nodes, so packets to one node
/// need no group; higher ids are assigned to groups and reused after remove().
class DestinationGroups {
 public:
  explicit DestinationGroups(std::size_t nodes) : nodes_(nodes) {
    members_.reserve(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) members_.push_back({NodeId{node}});
  }

  std::size_t nodes() const { return nodes_; }
  /// Adds a group and returns its id. `members` must be one or more distinct nodes. A single member
  /// needs no group: the function returns that node.
  /// Throws std::invalid_argument otherwise.
  NodeId add(std::vector<NodeId> members) {
    std::sort(members.begin(), members.end());
    const bool repeated = std::adjacent_find(members.begin(), members.end()) != members.end();
    if (members.empty() || repeated || index(members.back()) >= nodes_) {
      throw std::invalid_argument("a group needs members, each once, among the network's nodes");
    }
    if (members.size() == 1) return members.front();
    if (free_.empty()) {
      free_.push_back(to_id<NodeId>(members_.size()));
      members_.emplace_back();
    }
    const NodeId group = free_.back();
    free_.pop_back();
    members_[index(group)] = std::move(members);
    return group;
  }
  /// Removes a group, which must exist; has no effect for a node.
  void remove(NodeId group) {
    if (index(group) < nodes_) return;
    members_[index(group)].clear();
    free_.push_back(group);
  }

  /// The members of a group in rising order. The reference is valid until the group is removed or
  /// another group is added.
  const std::vector<NodeId>& members(NodeId group) const { return members_[index(group)]; }
  /// A number above all ids in use, those of nodes and those of groups.
  std::size_t end() const { return members_.size(); }

 private:
  std::size_t nodes_;
  std::vector<std::vector<NodeId>> members_;
  std::vector<NodeId> free_;
};

}  // namespace flitcast
