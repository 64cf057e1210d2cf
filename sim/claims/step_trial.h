// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/param.h"
#include "permutation/algorithm.h"
#include "permutation/step_machine.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "sim/claims/statement.h"
#include "topology/topology.h"

namespace flitcast::claims {

// Permutations on meshes and cubes, which documents 002 and 003 are about. Node (x, y) of a mesh
// has the number y * columns + x.

/// The name of a mesh, for StepTrial: M(7,5) has seven columns.
std::string mesh_name(const std::vector<std::size_t>& sizes);

/// A network on which packets move by an algorithm of the catalog, on the step machine.
class StepTrial {
 public:
  /// @param network  The name of a mesh or a cube: M(4,5), Q6.
  /// @param keys     The keys of a permutation workload in YAML, except the permutation:
  /// "algorithm: off_line, colouring: alternating_paths".
  /// @param seed     The seed of random queues.
  explicit StepTrial(const std::string& network,
                     const std::string& keys = "algorithm: dimension_order",
                     std::uint64_t seed = 1);

  const Topology& network() const { return *network_; }
  MovePaths& paths() { return paths_; }
  MovePlan plan(const Instance& packets, std::uint64_t run = 0) const {
    return entry_.make(workload_, {*network_, ends_, packets, run});
  }
  /// The bounds that the algorithm's theorems state.
  std::vector<PermutationClaim> claims(const Instance& packets) const;
  StepFigures play(const MovePlan& plan);
  StepFigures play(const Instance& packets, std::uint64_t run = 0) {
    packets_ = packets;
    return play(plan(packets, run));
  }
  /// The last instance that was played.
  const Instance& packets() const { return packets_; }
  /// The last phase that was played.
  const PhaseOutcome& last() const { return last_; }
  /// The packets that share a channel with each packet of the last phase.
  std::vector<std::size_t> sharing() const { return check_delay_theorem(machine_, last_).sharing; }
  /// By channel: the packets of the last phase that take it.
  std::vector<std::size_t> loads() const;
  /// By packet of the last phase: the sum of the loads of its channels.
  std::vector<std::size_t> loads_of_paths() const;

  /// The steps that the packets take on the cycle-accurate network.
  std::size_t network_steps(const Instance& packets) const;

 private:
  const ordered_json section_;  // The section `topology` of experiments.
  const std::unique_ptr<const Topology> network_;
  const std::vector<NodeId> ends_;
  const Section workload_;
  const AlgorithmEntry& entry_;
  const Section routing_section_;
  const std::unique_ptr<const Routing> routing_;
  const std::unique_ptr<QueuePriority> priority_;
  MovePaths paths_;
  StepMachine machine_;
  Instance packets_;
  PhaseOutcome last_;
};

/// Figures of several runs: of each the largest value, and the mean with half the width of its 95 %
/// confidence interval. Runs are independent; the values of a run need not be.
class RunFigures {
 public:
  /// Adds the values of a run, at least one.
  void add(const std::string& name, const std::vector<std::size_t>& values);
  /// Adds T (steps), T1, T2, ... (steps of the phases), queue (the longest, with the packet that
  /// leaves), held (the most packets of a router that do not leave), delay, congestion, distance.
  void add(const StepFigures& run);

  bool has(const std::string& name) const { return means_.count(name) != 0; }
  std::size_t runs(const std::string& name) const { return means_.at(name).size(); }
  std::size_t largest(const std::string& name) const { return largest_.at(name); }
  double mean(const std::string& name) const;
  /// The figures largest_NAME, mean_NAME and mean_NAME_half_width.
  ordered_json figures() const;

 private:
  std::map<std::string, std::vector<double>> means_;  // The mean of every run.
  std::map<std::string, std::size_t> largest_;
};

/// The instance that workload.permutation names in an experiment on the network.
Instance instance_on(const Topology& network, const ordered_json& permutation);

/// The sizes that the keys n, sizes, rows and columns choose, columns first: n x n,
/// M(rows,columns), or rows and columns.
std::vector<std::size_t> plane_of(const Section& parameters);

using InstanceVisitor = std::function<void(const Instance&)>;

/// Visits all permutations of the nodes. Throws ConfigError, about the key, for more than nine
/// nodes.
void for_all_permutations(const Section& parameters, const std::string& key, std::size_t nodes,
                          const InstanceVisitor& visit);

/// Makes all instances that the keys choose, one after the other: that of the list `destinations`,
/// that of the name `instance`, `runs` random permutations, or all permutations; with `packets`
/// only the first packets of each.
void for_each_instance(const Section& parameters, const Topology& network,
                       const InstanceVisitor& visit);

/// Adds the largest values of RunFigures by their names, the steps of the phases as `phases`, and
/// for a 2-D mesh its rows and columns.
void add_largest(const StepTrial& trial, const RunFigures& runs, Figures& figures);

/// Plays all instances. The figures are those of add_largest(), `instances`, `delayed` (instances
/// in which a packet waits) and, for one instance on a small network, `network_steps`.
/// @param visit  Receives every instance after it was played.
Figures play_instances(
    StepTrial& trial, const Section& parameters,
    const InstanceVisitor& visit = [](const Instance&) {});

/// Plays the packets in `runs` runs with random choices of the algorithm. The figures are those of
/// RunFigures, `exceeded` (by claim of the algorithm: the runs in which it failed) and
/// `undelivered`.
Figures play_runs(StepTrial& trial, const Section& parameters, const Instance& packets);

}  // namespace flitcast::claims
