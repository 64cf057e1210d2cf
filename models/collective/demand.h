// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"

namespace flitcast {

/// The collective operations (the first four: OAB, AAB, OAS and AAS of the literature). kReduce and
/// all operations after it add up contributions.
enum class Operation {
  kBroadcast,        ///< All nodes get the chunk of one node.
  kGossip,           ///< All nodes get the chunks of every node: all-to-all broadcast.
  kScatter,          ///< Every node gets its own chunk from one node.
  kAllToAllScatter,  ///< Every node gets its own chunk from every other: total exchange.
  kMulticast,        ///< Some nodes get the chunk of one node.
  kGather,           ///< One node gets the chunk of every node.
  // All from here on combine contributions; see Demand::adds_up().
  kReduce,         ///< One node gets the sum of all contributions.
  kAllReduce,      ///< All nodes get the sum of all contributions.
  kScan,           ///< Node q gets the sum of the contributions of nodes 0 .. q.
  kBarrier,        ///< No node continues before all have arrived.
  kReduceScatter,  ///< Node q gets block q of the sum of all contributions.
  kExclusiveScan,  ///< Node q > 0 gets the sum of the contributions of nodes 0 .. q - 1.
};

/// An operation and its name in experiments.
struct OperationName {
  const char* name;
  Operation operation;
  /// The operation has a source or root: one node that has the data at the start or gets them.
  bool has_source = false;
  const char* also = "";  ///< A second name, usual in message passing.
};
const std::vector<OperationName>& operations();
/// The operation with that first or second name; throws std::invalid_argument if there is none.
Operation operation_named(const std::string& name);
const char* to_text(Operation operation);
bool has_source(Operation operation);

/// The factors by which benchmarks turn the length of a chunk or contribution into bandwidth.
struct Bandwidth {
  double buffer = 1;  ///< Lengths in the larger buffer of a rank.
  double bus = 1;     ///< Bus bandwidth, as a share of the algorithm bandwidth.
};

/// The factors for `ranks` ranks; absent for barriers and scans, for which there is no definition.
/// Source: NVIDIA, nccl-tests, doc/PERFORMANCE.md; scatter and gather as in its scatter.cu and
/// gather.cu. A multicast counts as a broadcast.
std::optional<Bandwidth> bandwidth_of(Operation operation, std::size_t ranks);

/// Chunks begin .. end - 1.
struct ChunkRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The chunks that every node knows at the start of an operation on N nodes, and must know at its
/// end. At the start a node knows the chunks whose origin it is.
///
/// Chunks are passed on unchanged, or they are contributions, of which a node has a sum. An
/// algorithm may cut the data of a broadcast, or the vector that every node contributes, into
/// blocks and move them separately: then there is a chunk for each block, and a node has a sum for
/// each. A reduce-scatter has as many blocks as nodes.
///
/// Numbering: broadcast and multicast: the block. Gossip with k chunks a node: origin + N * c,
/// c = 0 .. k - 1. Scatter: the destination. All-to-all scatter: origin + N * destination. Gather:
/// the origin. Contributions: origin + N * block.
struct Demand {
  Operation operation = Operation::kBroadcast;
  std::size_t nodes = 1;
  NodeId source{};  ///< The source of a one-to-all operation, the root of an all-to-one operation.
  std::size_t chunks_per_node = 1;  ///< The chunks of a node in a gossip; otherwise 1.
  std::vector<NodeId> receivers{};  ///< The receivers of a multicast, each once, not the source.
  /// The blocks of a broadcast, multicast, reduce or all-reduce; otherwise 1.
  std::size_t cuts = 1;

  std::size_t chunks() const;
  /// The number of blocks into which a chunk or a contribution is cut.
  std::size_t blocks() const { return operation == Operation::kReduceScatter ? nodes : cuts; }
  NodeId origin(ChunkId chunk) const;
  /// The chunks that `node` must know at the end.
  ChunkRange wanted(NodeId node) const;
  bool wants(NodeId node, ChunkId chunk) const {
    const ChunkRange range = wanted(node);
    return index(chunk) >= range.begin && index(chunk) < range.end;
  }

  /// The number of nodes that a broadcast or a multicast informs.
  std::size_t informed() const {
    return operation == Operation::kMulticast ? receivers.size() : nodes - 1;
  }

  /// True if chunks are contributions, so that messages carry sums of them.
  bool adds_up() const { return operation >= Operation::kReduce; }
  /// True if a sum may contain a contribution twice, because it is a set of nodes that have
  /// arrived.
  bool is_union() const { return operation == Operation::kBarrier; }
  /// All contributions to the blocks of which `node` wants a sum. Its sums must contain the wanted
  /// contributions and no others, because it could not remove others again.
  ChunkRange summed(NodeId node) const;
  /// True if a node adds its own contribution to the sums that it sends, but not to the sum that it
  /// holds.
  bool keeps_own_apart() const { return operation == Operation::kExclusiveScan; }

  /// The node with a rank counted from the source, which has rank 0. In a multicast the ranks are
  /// the source and the receivers in their order; in other operations all nodes, upwards from the
  /// source and cyclically.
  NodeId at_rank(std::size_t rank) const {
    if (operation == Operation::kMulticast && rank > 0) return receivers[rank - 1];
    return to_id<NodeId>((index(source) + rank) % nodes);
  }
};

/// The nodes 0 .. count - 1.
std::vector<NodeId> all_nodes(std::size_t count);
/// The `count` nodes after the source, upwards, mod N.
std::vector<NodeId> nodes_after(NodeId source, std::size_t count, std::size_t nodes);

}  // namespace flitcast
