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
  kReduceScatter,    ///< The sum of all contributions, of which node q gets block q.
  kExclusiveScan,    ///< To node q > 0 the sum of the contributions of nodes 0 .. q - 1.
};

/// An operation with its name in experiments.
struct OperationName {
  const char* name;
  Operation operation;
  bool has_source = false;  ///< One node has the data, or gets it: the source or root.
  const char* also = "";    ///< A second name that users of message passing know.
};
const std::vector<OperationName>& operations();
/// The operation of that name, first or second; throws std::invalid_argument for another.
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
/// Chunks are passed on as they are, or are contributions of which a node has sums. An algorithm
/// may cut the data of a broadcast, or the vector that every node contributes, into blocks and
/// treat them apart: then there is a chunk for each block, and a node has a sum for each. The
/// blocks of a reduce-scatter are as many as the nodes.
///
/// Numbering: broadcast and multicast: the block. Gossip with k chunks a node: origin + N * c,
/// c = 0 .. k - 1. Scatter: the destination. All-to-all scatter: origin + N * destination. Gather:
/// the origin. Contributions: origin + N * block.
struct Demand {
  Operation operation = Operation::kBroadcast;
  std::size_t nodes = 1;
  NodeId source{};                  ///< Of one-to-all operations, or the root of all-to-one ones.
  std::size_t chunks_per_node = 1;  ///< Of a gossip.
  std::vector<NodeId> receivers{};  ///< Of a multicast: nodes beside the source, each once.
  std::size_t cuts = 1;  ///< Blocks of a broadcast, multicast, reduce or all-reduce; else 1.

  std::size_t chunks() const;
  /// Blocks into which a chunk or a contribution is cut.
  std::size_t blocks() const { return operation == Operation::kReduceScatter ? nodes : cuts; }
  NodeId origin(ChunkId chunk) const;
  /// What `node` must know at the end.
  ChunkRange wanted(NodeId node) const;
  bool wants(NodeId node, ChunkId chunk) const {
    const ChunkRange range = wanted(node);
    return index(chunk) >= range.begin && index(chunk) < range.end;
  }

  /// Nodes that a broadcast or a multicast informs.
  std::size_t informed() const {
    return operation == Operation::kMulticast ? receivers.size() : nodes - 1;
  }

  /// Whether chunks are contributions of which messages carry a sum.
  bool adds_up() const;
  /// Whether a sum may contain a contribution twice: it says who has come, not how many.
  bool is_union() const { return operation == Operation::kBarrier; }
  /// Of the blocks that `node` wants a sum of, all contributions: it must know the wanted ones and
  /// no others, because it could not take them out again.
  ChunkRange summed(NodeId node) const;
  /// Whether a node's own contribution is in what it sends, but not in what it holds.
  bool keeps_own_apart() const { return operation == Operation::kExclusiveScan; }

  /// The source has rank 0. Of a multicast the receivers follow, in their order; otherwise all
  /// nodes, upwards from the source.
  NodeId at_rank(std::size_t rank) const {
    if (operation == Operation::kMulticast && rank > 0) return receivers[rank - 1];
    return NodeId{static_cast<std::uint32_t>((index(source) + rank) % nodes)};
  }
};

/// The `count` nodes after the source, upwards, mod N.
std::vector<NodeId> nodes_after(NodeId source, std::size_t count, std::size_t nodes);

}  // namespace flitcast
