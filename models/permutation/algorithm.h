// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "config/section.h"
#include "permutation/instance.h"
#include "permutation/step_machine.h"
#include "topology/topology.h"

namespace flitcast {

/// What an algorithm is made for.
struct AlgorithmContext {
  const Topology& topology;         ///< Must outlive what is made.
  const std::vector<NodeId>& ends;  ///< The nodes that take part: the places of the instance.
  const Instance& packets;
  std::uint64_t run = 0;  ///< Added to the algorithm's own seed: repetitions are numbered from 0.
};

/// The phases in which the packets go; throws ConfigError for packets that it does not take.
using AlgorithmMaker = std::vector<MovePhase> (*)(const Section& workload,
                                                  const AlgorithmContext& context);

/// A promise of an algorithm, in the words of its theorem.
struct PermutationClaim {
  enum class About { kSteps, kPhaseSteps, kCongestion, kQueue, kDelay };
  About about = About::kSteps;
  double at_most = 0;
  std::string text;     ///< "two phases take at most 8n steps".
  bool proved = false;  ///< For every instance; otherwise it holds nearly always, or not at all.
};

/// A way to route permutations that a user can name under workload.algorithm.
struct AlgorithmEntry : CatalogEntry<AlgorithmMaker> {
  bool (*accepts)(const Topology&) = nullptr;
  std::string family{};  ///< What it accepts, for messages: "meshes of one or two dimensions".
  /// The routings, by their names, that packets may go by in each phase; none: all.
  std::vector<std::string> routings{};
  std::string discipline = "fifo";  ///< The order of queues that its theorem is about.
  /// What is claimed of these packets; null: nothing.
  std::vector<PermutationClaim> (*claims)(const AlgorithmContext& context) = nullptr;
};

/// The algorithms, open to more.
Catalog<AlgorithmEntry>& permutation_algorithms();

// For makers of algorithms.

/// A mesh without wrap-around links as rows of nodes; a line is one row.
struct MeshShape {
  std::size_t columns = 1;
  std::size_t rows = 1;

  NodeId node(std::size_t x, std::size_t y) const {
    return NodeId{static_cast<std::uint32_t>(y * columns + x)};
  }
  std::size_t column(NodeId node) const { return index(node) % columns; }
  std::size_t row(NodeId node) const { return index(node) / columns; }
};
/// Whether the topology is such a mesh, and its shape.
bool is_plane_mesh(const Topology& topology);
MeshShape mesh_shape(const Topology& topology);

/// Whether no node sends two packets, and whether none receives two.
bool one_per_source(const Instance& packets);
bool one_per_destination(const Instance& packets);
/// Throws ConfigError unless the packets are a complete or partial permutation.
void require_permutation(const Section& workload, const Instance& packets);

/// A permutation of all nodes: these packets, which are a partial one, and behind them one from
/// each node that does not send to one that does not receive.
Instance completed(const Instance& packets, std::size_t nodes);

/// The phases in which every packet p goes from its source over stops[0][p], stops[1][p] and so on
/// to its destination: one more than there are stops.
std::vector<MovePhase> phases_over(const Instance& packets,
                                   const std::vector<std::vector<NodeId>>& stops);
/// One phase, without stops: an AlgorithmMaker for algorithms of which the routing decides all.
std::vector<MovePhase> at_once(const Section& workload, const AlgorithmContext& context);

}  // namespace flitcast
