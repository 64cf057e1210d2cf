// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/figures.h"
#include "collective/catalog.h"
#include "collective/verification.h"
#include "sim/claims/statement.h"
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

/// The figures rounds, transmissions, duplicates, new (receipts by round), paths (longest by
/// round), faults (broken rules of the step machine) and lower_bound.
void add_figures(const Topology& topology, const VerifiedCollective& verified,
                 ordered_json& figures);

/// The figures of a schedule or a permutation in an experiment, as `flitcast schedule` gives them.
ordered_json schedule_figures(const ordered_json& experiment);

/// The result of an experiment on the cycle-accurate network, as `flitcast run` gives it, without
/// the loads of links. It runs in a child process. Throws std::runtime_error if the run fails.
ordered_json run_on_network(const ordered_json& experiment);

/// The most messages of a schedule that statements run on the network, a few seconds of simulation.
inline constexpr std::size_t kMostMessagesRun = 20000;

/// Runs a store-and-forward collective with all ports, on a network with the sections `topology`
/// and `workload` of an experiment. The figures are `cycles`, the time measured, and
/// `analytic_cycles`, the time by the cost model; where they differ there is a fault more.
/// Schedules longer than kMostMessagesRun get neither figure.
/// @param further  Sections of the experiment that replace those written here.
void add_network_figures(const ordered_json& topology, const ordered_json& workload,
                         const VerifiedCollective& verified, ordered_json& figures,
                         const ordered_json& further = ordered_json::object());

}  // namespace flitcast::claims
