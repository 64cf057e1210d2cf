// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collective/precondition.h"
#include "config/catalog.h"
#include "config/section.h"
#include "permutation/instance.h"
#include "permutation/step_machine.h"
#include "topology/topology.h"

namespace flitcast {

/// The instance that an algorithm is made for.
struct AlgorithmContext {
  const Topology& topology;         ///< Must outlive the result.
  const std::vector<NodeId>& ends;  ///< The nodes that take part: the places of the instance.
  const Instance& packets;
  std::uint64_t run = 0;  ///< The repetition, counted from 0; it is added to the algorithm's seed.
};

/// Makes the phases in which the packets move; throws ConfigError for packets that the algorithm
/// does not accept.
using AlgorithmMaker = MovePlan (*)(const Section& workload, const AlgorithmContext& context);

/// The bound that a theorem gives for an algorithm: an upper bound on a figure of the step machine.
struct PermutationClaim {
  std::size_t StepFigures::*about = &StepFigures::steps;
  double at_most = 0;
  std::string text;  ///< The claim in words: "two phases take at most 8n steps".
  /// The bound is proved for every instance; otherwise it is only claimed or likely.
  bool proved = false;

  bool holds(const StepFigures& figures) const {
    return static_cast<double>(figures.*about) <= at_most;
  }
};

/// An algorithm for permutations that a user can name under workload.algorithm.
struct AlgorithmEntry : CatalogEntry<AlgorithmMaker> {
  bool (*accepts)(const Topology&) = nullptr;
  std::string family{};  ///< The accepted topologies: "meshes of one or two dimensions".
  /// The names of the routings that packets may use in each phase; empty: all.
  std::vector<std::string> routings{};
  std::string discipline = "fifo";  ///< The order of queues for which the theorem holds.
  /// The claims for an instance; null: none.
  std::vector<PermutationClaim> (*claims)(const AlgorithmContext& context) = nullptr;
};

/// The catalog of algorithms, to which users can add.
Catalog<AlgorithmEntry>& permutation_algorithms();

// Helpers for the makers of algorithms.

/// The shape of a mesh of one or two dimensions; a line is one row.
struct MeshShape {
  std::size_t columns = 1;
  std::size_t rows = 1;

  NodeId node(std::size_t x, std::size_t y) const { return to_id<NodeId>(y * columns + x); }
  std::size_t column(NodeId node) const { return index(node) % columns; }
  std::size_t row(NodeId node) const { return index(node) / columns; }
};
/// An algorithm on meshes of one or two dimensions, along paths in dimension order with
/// farthest-first queues.
AlgorithmEntry on_plane_meshes(CatalogEntry<AlgorithmMaker> entry,
                               std::vector<PermutationClaim> (*claims)(const AlgorithmContext&));
MeshShape mesh_shape(const Topology& topology);

/// True if no node sends two packets.
bool one_per_source(const Instance& packets);
/// True if no node receives two packets.
bool one_per_destination(const Instance& packets);
/// True if the packets are a complete or partial permutation.
Precondition is_permutation(const Section& workload, const Instance& packets);

/// Completes a partial permutation: adds one packet from each node that does not send to a node
/// that does not receive.
Instance completed(const Instance& packets, std::size_t nodes);

/// The rounds of odd-even transposition by which shearsort sorts blocks of that shape.
std::size_t shearsort_rounds(std::size_t rows, std::size_t columns);

/// The phases in which every packet p moves from its source via stops[0][p], stops[1][p] and so on
/// to its destination: one phase more than there are stops.
/// @param names  The names of the phases; empty: they have none.
MovePlan phases_over(const Instance& packets, const std::vector<std::vector<NodeId>>& stops,
                     const std::vector<std::string>& names = {});
/// The AlgorithmMaker of algorithms that leave the path to the routing: one phase, without stops.
MovePlan at_once(const Section& workload, const AlgorithmContext& context);

}  // namespace flitcast
