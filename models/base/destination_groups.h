// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The destination sets of multicast packets, whose headers name a set instead of a node.
///
/// A NodeId identifies a group: ids below nodes() stand for single nodes, so packets to one node
/// need no group; higher ids are assigned to groups and reused after remove().
class DestinationGroups {
 public:
  explicit DestinationGroups(std::size_t nodes);

  std::size_t nodes() const { return nodes_; }
  /// Adds a group of these members, which are distinct nodes, at least one. A single member gets no
  /// group: the result is its node.
  /// Throws std::invalid_argument otherwise.
  NodeId add(std::vector<NodeId> members);
  /// Removes a group, which must exist; has no effect for a node.
  void remove(NodeId group);

  /// The members in rising order. Valid until the group is removed or another one is added.
  const std::vector<NodeId>& members(NodeId group) const { return members_[index(group)]; }
  /// All ids in use are below this.
  std::size_t end() const { return members_.size(); }

 private:
  std::size_t nodes_;
  std::vector<std::vector<NodeId>> members_;
  std::vector<NodeId> free_;
};

}  // namespace flitcast
