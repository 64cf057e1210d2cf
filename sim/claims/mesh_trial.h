// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/param.h"
#include "permutation/algorithm.h"
#include "permutation/step_machine.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "sim/claims/statement.h"
#include "topology/grid.h"

namespace flitcast::claims {

// What the machines for permutations on meshes share. Meshes have dimension 0 along a row: the node
// (x, y) has the number y * columns + x.

/// The results of the step machine: of one instance, or the largest of several.
struct MeshRun {
  std::vector<std::size_t> phases;      ///< By phase: steps, at least those reserved.
  std::size_t steps = 0;                ///< T, the sum of the phases.
  std::size_t queue = 0;                ///< The longest queue, including the packet that leaves.
  std::size_t held = 0;                 ///< The most packets of a router that do not leave.
  std::size_t congestion = 0;           ///< The most packets that share a channel.
  std::size_t distance = 0;             ///< The longest path.
  std::size_t delay = 0;                ///< The longest delay of a packet.
  std::vector<std::uint32_t> delays{};  ///< Of one instance: by packet, of its last phase.

  /// Raises every figure to that of another run.
  void raise_to(const MeshRun& other);
};

/// A mesh on which packets move by an algorithm of the catalog, on the step machine.
class MeshTrial {
 public:
  /// @param keys        Keys of the algorithm in YAML: "colouring: alternating_paths".
  /// @param discipline  The order of queues.
  explicit MeshTrial(const std::vector<std::size_t>& sizes,
                     const std::string& algorithm = "dimension_order", const std::string& keys = "",
                     const std::string& discipline = "farthest_first");

  const Grid& mesh() const { return mesh_; }
  /// The workload's keys, with the identity as permutation.
  const Section& workload() const { return workload_; }
  MovePlan plan(const Instance& packets, std::uint64_t run = 0) const;
  MeshRun play(const MovePlan& plan);
  MeshRun play(const Instance& packets, std::uint64_t run = 0) { return play(plan(packets, run)); }
  /// The channel that most packets of the last phase share: "(1,1,0) to (1,2,0)".
  std::string most_loaded() const;

 private:
  const Grid mesh_;
  const std::vector<NodeId> ends_;
  const Section workload_;
  const AlgorithmEntry& entry_;
  const std::unique_ptr<Routing> routing_;
  const std::unique_ptr<QueuePriority> priority_;
  MovePaths paths_;
  StepMachine machine_;
  std::size_t moves_ = 0;  // Of the last phase.
};

/// The keys n, sizes, rows and columns of a mesh of two dimensions, and more.
std::vector<Param> plane_keys(std::size_t most, const std::vector<Param>& more = {});

/// The sizes that these keys choose, columns first: n x n, M(rows,columns), or rows and columns.
std::vector<std::size_t> plane_of(const Section& parameters);

/// Further keys, by which statements choose instances: instance, runs, seed, packets, destinations.
/// @param names  The choices of the key instance; the first is the usual one.
std::vector<Param> with_instances(std::vector<Param> keys, std::vector<std::string> names,
                                  std::size_t runs = 1);

/// Makes all instances that the keys choose, one after the other: that of the name, `runs` random
/// permutations, or all permutations; with `packets` only the first packets of each.
void for_each_instance(const Section& parameters, const std::vector<std::size_t>& sizes,
                       const std::function<void(const Instance&)>& visit);

/// Adds the figures T, queue, delay, held, congestion, distance and phases; rows and columns of a
/// mesh of two dimensions.
void add_mesh_figures(const MeshTrial& trial, const MeshRun& run, ordered_json& figures);

/// Adds the steps of a permutation on the cycle-accurate network, `network_steps`, if the mesh is
/// small; a run that takes other steps than the step machine fails.
void add_mesh_network(const MeshTrial& trial, const Instance& packets, ordered_json& figures);

/// Plays all instances. The figures are those above and `instances`, `delayed` (instances in which
/// a packet waits) and, for a single instance, those of the network.
/// @param last  Receives the last instance.
Figures play_instances(MeshTrial& trial, const Section& parameters, Instance& last);

}  // namespace flitcast::claims
