// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace flitcast {

/// The collective operations that are carried out in rounds.
enum class RoundOperation {
  kBroadcast,        ///< One node's chunk to all.
  kMulticast,        ///< One node's chunk to some.
  kScatter,          ///< A chunk of its own from one node to every other.
  kGather,           ///< Every node's chunk to one.
  kGossip,           ///< Every node's chunk to all: all-to-all broadcast.
  kAllToAllScatter,  ///< A chunk of its own from every node to every other: personalized.
  kReduce,           ///< The sum of all contributions to one node.
  kAllReduce,        ///< The same to all.
  kScan,             ///< To node q the sum of the contributions of nodes 0 .. q.
  kBarrier,          ///< Nobody goes on before all have come.
};

/// Items begin .. end - 1.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What an operation starts from and has to end with on N nodes, in items: a node knows a set of
/// them, at the start those whose origin it is.
///
/// Items are chunks that nodes pass on one by one, or contributions of which a node has a single
/// combination, such as their sum. Numbering: broadcast and multicast: 0. Scatter: the destination.
/// All-to-all scatter: origin + N * destination. All others: the origin.
struct RoundDemand {
  RoundOperation operation = RoundOperation::kBroadcast;
  std::size_t nodes = 1;
  NodeId source{};            ///< Of one-to-all operations, or the root of all-to-one operations.
  std::size_t receivers = 0;  ///< Of a multicast: nodes source + 1 .. source + receivers, mod N.

  std::size_t items() const;
  NodeId origin(std::uint32_t item) const;
  /// What `node` must know at the end, one item after the other.
  ItemRange wanted(NodeId node) const;

  /// Whether items are contributions of which messages carry a combination.
  bool combines() const;
  /// Whether a combination may contain a contribution twice: it says who has come, not how many.
  bool is_union() const { return operation == RoundOperation::kBarrier; }
  /// Whether `node` must know nothing beside what it wants, because it could not take it out again.
  bool wants_nothing_else(NodeId node) const;

  /// The node `rank` places after the source.
  NodeId at_rank(std::size_t rank) const {
    return NodeId{static_cast<std::uint32_t>((index(source) + rank) % nodes)};
  }
};

/// Whether an operation has a source or a root.
bool has_source(RoundOperation operation);

}  // namespace flitcast
