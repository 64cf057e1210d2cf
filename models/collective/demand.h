// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"

namespace flitcast {

/// The collective operations (the first four: OAB, AAB, OAS and AAS of the literature).
enum class Operation {
  kBroadcast,        ///< One node's chunk to all.
  kGossip,           ///< Every node's chunks to all: all-to-all broadcast.
  kScatter,          ///< A chunk of its own from one node to every other.
  kAllToAllScatter,  ///< A chunk of its own from every node to every other: total exchange.
  kMulticast,        ///< One node's chunk to some.
  kGather,           ///< Every node's chunk to one.
  kReduce,           ///< The sum of all contributions to one node.
  kAllReduce,        ///< The sum of all contributions to all.
  kScan,             ///< To node q the sum of the contributions of nodes 0 .. q.
  kBarrier,          ///< Nobody goes on before all have come.
};

/// An operation with its name in experiments.
struct OperationName {
  const char* name;
  Operation operation;
  bool has_source = false;  ///< One node has the data, or gets it: the source or root.
};
const std::vector<OperationName>& operations();
/// The operation of that name; throws std::invalid_argument for another.
Operation operation_named(const std::string& name);
const char* to_text(Operation operation);
bool has_source(Operation operation);

/// Chunks begin .. end - 1.
struct ChunkRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What an operation starts from and has to end with on N nodes: a node knows a set of chunks, at
/// the start those whose origin it is.
///
/// Chunks are passed on one by one, or are contributions of which a node has a single sum.
/// Numbering: broadcast and multicast: 0. Gossip with k chunks a node: origin + N * c,
/// c = 0 .. k - 1. Scatter: the destination. All-to-all scatter: origin + N * destination. All
/// others: the origin.
struct Demand {
  Operation operation = Operation::kBroadcast;
  std::size_t nodes = 1;
  NodeId source{};                  ///< Of one-to-all operations, or the root of all-to-one ones.
  std::size_t chunks_per_node = 1;  ///< Of a gossip.
  std::size_t receivers = 0;        ///< Of a multicast: source + 1 .. source + receivers, mod N.

  std::size_t chunks() const;
  NodeId origin(ChunkId chunk) const;
  /// What `node` must know at the end.
  ChunkRange wanted(NodeId node) const;
  bool wants(NodeId node, ChunkId chunk) const {
    const ChunkRange range = wanted(node);
    return index(chunk) >= range.begin && index(chunk) < range.end;
  }

  /// Nodes that a broadcast or a multicast informs.
  std::size_t informed() const {
    return operation == Operation::kMulticast ? receivers : nodes - 1;
  }

  /// Whether chunks are contributions of which messages carry a sum.
  bool adds_up() const;
  /// Whether a sum may contain a contribution twice: it says who has come, not how many.
  bool is_union() const { return operation == Operation::kBarrier; }
  /// Whether `node` must know nothing beside what it wants, because it could not take it out again.
  bool wants_nothing_else(NodeId node) const;

  /// The node `rank` places after the source.
  NodeId at_rank(std::size_t rank) const {
    return NodeId{static_cast<std::uint32_t>((index(source) + rank) % nodes)};
  }
};

}  // namespace flitcast
