// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The destination sets of multicast packets, where a header names a set and not a node.
///
/// A group is known by a NodeId: those below nodes() stand for that node alone, so packets to one
/// node need no group; further ones are given out, and again after they were taken back.
class DestinationGroups {
 public:
  explicit DestinationGroups(std::size_t nodes);

  std::size_t nodes() const { return nodes_; }
  /// A group of these members, which are distinct nodes, at least one; throws std::invalid_argument
  /// otherwise. One member alone gets no group of its own.
  NodeId add(std::vector<NodeId> members);
  /// Takes a group back; does nothing for a node. The group must be known.
  void remove(NodeId group);

  /// Rising. Good until the group is removed or another one added.
  const std::vector<NodeId>& members(NodeId group) const { return members_[index(group)]; }
  /// Ids in use are below this.
  std::size_t end() const { return members_.size(); }

 private:
  std::size_t nodes_;
  std::vector<std::vector<NodeId>> members_;
  std::vector<NodeId> free_;
};

}  // namespace flitcast
