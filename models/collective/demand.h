// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/ids.h"
#include "collective/schedule.h"

namespace flitcast {

/// The collective operations (OAB, AAB, OAS and AAS of the literature).
enum class Operation {
  kBroadcast,        ///< One node's chunk to all.
  kGossip,           ///< Every node's chunks to all: all-to-all broadcast.
  kScatter,          ///< A chunk of its own from one node to every other.
  kAllToAllScatter,  ///< A chunk of its own from every node to every other: total exchange.
};

/// What an operation starts from and has to end with on N nodes.
///
/// Chunks: broadcast: 0. Gossip with k chunks a node: origin + N * c, c = 0 .. k - 1. Scatter:
/// the destination. All-to-all scatter: origin + N * destination.
struct Demand {
  Operation operation = Operation::kBroadcast;
  std::size_t nodes = 1;
  NodeId source{};                  ///< Of a broadcast or a scatter.
  std::size_t chunks_per_node = 1;  ///< Of a gossip.

  std::size_t chunks() const;
  NodeId origin(ChunkId chunk) const;
  /// Whether `node` must hold `chunk` at the end.
  bool wants(NodeId node, ChunkId chunk) const;
};

}  // namespace flitcast
