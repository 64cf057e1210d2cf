// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/figures.h"
#include "collective/catalog.h"
#include "collective/verification.h"
#include "sim/claims/statement.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast::claims {

// The machines that show statements. Each takes an instance and returns figures that it found.

/// A network as the documents write it: T(4,5) torus, M(3,3,4) mesh, Q5 hypercube, K8 complete
/// graph. Throws ConfigError for other names and for sizes that cannot be built.
/// @param key  The key of the parameter, for messages.
std::unique_ptr<Topology> network_named(const std::string& name, const std::string& key);
/// The section `topology` of experiments on that network.
ordered_json topology_section(const std::string& name, const std::string& key);

/// The source as a node's number or as coordinates. Where neither is given, it is node 0, or with
/// `from: centre` the node in the middle.
/// Throws ConfigError for a node that does not exist.
NodeId source_in(const Section& parameters, const Topology& topology);

/// A collective algorithm for an instance, and the verification of its schedule by the step
/// machine.
struct VerifiedCollective {
  Collective collective;
  Verification verification;
};

/// Makes the schedule of an algorithm and runs it on the step machine, without the algorithm's own
/// claim. Throws PreconditionError for instances on which the algorithm is not defined.
/// @param keys  Keys of the algorithm in YAML: "rule: seed".
VerifiedCollective on_step_machine(const CollectiveContext& context, const std::string& algorithm,
                                   const std::string& keys = "");

/// The result of an experiment on the cycle-accurate network, as `flitcast run` gives it, without
/// the loads of links. It runs in a child process. Throws std::runtime_error if the run fails.
ordered_json run_on_network(const ordered_json& experiment);

/// A collective algorithm, with the ports, the operation and the keys for which it is used.
struct CollectiveChoice {
  std::string algorithm;
  unsigned ports = kAllPorts;  ///< A node has 1 port, or all.
  std::string name{};          ///< Distinguishes the figures of this choice from those of others.
  Operation operation = Operation::kBroadcast;
  std::string keys{};  ///< Further keys of the algorithm in YAML.
};

/// A collective on a network of the documents, on the step machine and on the network.
class CollectiveTrial {
 public:
  CollectiveTrial(std::string network, NodeId source, CollectiveChoice choice);

  const Topology& topology() const { return *topology_; }
  /// Throws PreconditionError for another network.
  const Grid& grid() const { return family_of<Grid>({*topology_}); }
  NodeId source() const { return source_; }
  std::size_t nodes() const { return topology_->node_count(); }
  const Collective& collective() const { return verified_.collective; }
  const Schedule& schedule() const { return collective().plan.schedule; }
  const Verification& found() const { return verified_.verification; }

  /// The figures nodes, channels, rounds, transmissions, duplicates, faults (broken rules of the
  /// step machine), lower_bound (also as bound), bound_in_order (where paths take the dimensions in
  /// order), and by round new, informed (from round 0 on), paths (the longest), sent, senders; of
  /// small schedules sends ("0->4"). Small networks are drawn.
  Figures figures() const;

  /// By round: the messages as "from->to", with all nodes shifted upwards round a ring.
  ordered_json sends(std::size_t shift = 0) const;

  /// Adds the figures `time`, by the cost model, and `cycles` and `analytic_cycles`, measured on
  /// the network and expected there; if these two differ, it adds a fault. Cycles are absent for
  /// long schedules, for further keys of the algorithm, and for costs that no network has.
  /// @param costs   With the keys ts, td, tm and m, or with none of them: then the costs of the
  /// network.
  /// @param suffix  Follows the names of the figures.
  void add_run(const Section& costs, Switching switching, Figures& figures,
               const std::string& suffix = "") const;
  /// Calls add_run() with the switching for which the algorithm is made.
  void add_run(const Section& costs, Figures& figures) const {
    add_run(costs, collective().discipline.switching, figures);
  }

 private:
  ordered_json experiment(const Section& costs, bool worms) const;

  std::string network_;
  std::unique_ptr<Topology> topology_;
  NodeId source_;
  CollectiveChoice choice_;
  VerifiedCollective verified_;
};

/// The ports that the key `ports` chooses: 1 or all.
unsigned ports_of(const Section& parameters);

/// Several broadcasts on one network, with the costs and the source of the parameters: all figures,
/// with the name of the choice behind them (rounds_one_port), and the sum of the faults. On a
/// torus, chain halving runs on the mesh that the torus contains.
Figures compared(const Section& parameters, const std::string& network,
                 const std::vector<CollectiveChoice>& choices);

}  // namespace flitcast::claims
