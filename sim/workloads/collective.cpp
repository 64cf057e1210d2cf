// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"
#include "router/invariant.h"
#include "routing/catalog.h"

namespace flitcast {

CollectiveWorkload::CollectiveWorkload(const WorkloadContext& context)
    : PlannedWorkload(context), task_{this->context(), collective_instance(context), {}, {}} {
  CollectiveVerdict& verdict = task_.verdict;
  verdict.algorithm = section().text("algorithm");
  verdict.rank_nodes = task_.instance.placement.nodes();
  try {
    task_.collective = collectives().find(verdict.algorithm)->make(section(), task_.instance);
    executor_ = make_executor(task_);
  } catch (const PreconditionError& error) {
    fail(error);
  }
  const auto& [demand, discipline, plan] = task_.collective;
  verdict.cost = {startup_cycles(), hop_cycles(context.params), context.params.cycles_per_flit,
                  longest_message(demand, plan.schedule, task_.length())};
  verdict.self_timed = task_.self_timed();
  verify();
  executor_->measure_paths(verdict);
  executor_->check();
  find_bound();
  verdict.analytic_cycles = executor_->analytic_cycles(task_.length(), false);
}

std::optional<std::uint64_t> CollectiveWorkload::cycles_by_formula(std::uint32_t length) const {
  if (task_.verdict.self_timed) return std::nullopt;
  return executor_->analytic_cycles(length, true);
}

void CollectiveWorkload::fail(const PreconditionError& error) const {
  using Subject = PreconditionError::Subject;
  if (error.subject() == Subject::kPorts) {
    configuration().section("node").fail("ports", error.reason(), error.hint());
  }
  section().fail(error.subject() == Subject::kSource ? "source" : "algorithm", error.reason(),
                 error.hint());
}

void CollectiveWorkload::verify() {
  const Topology& topology = context().topology;
  const auto& [demand, discipline, plan] = task_.collective;
  CollectiveVerdict& verdict = task_.verdict;
  try {
    verdict.verification = flitcast::verify(topology, plan.schedule, demand, discipline, plan.claim,
                                            task_.instance.placement);
  } catch (const std::length_error& error) {
    section().fail("operation", fmt::format("its plan is too large to verify: {}", error.what()),
                   "use a smaller network");
  }
  if (!verdict.verification.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", verdict.algorithm,
                                     topology.name(),
                                     verdict.verification.violations.front().text));
  }
  verdict.has_paths = discipline.switching != Switching::kAnyNetwork;
}

// The bound depends on the ports of the nodes, not on those that the algorithm uses.
void CollectiveWorkload::find_bound() {
  CollectiveVerdict& verdict = task_.verdict;
  // Central control is no routing of the catalog.
  const RoutingEntry* routing = routings().find(configuration().section("routing").text("kind"));
  Discipline machine = task_.collective.discipline;
  machine.ports = task_.instance.ports;
  machine.multicast |= context().can.has_multicasts;
  verdict.bound = lower_bound(context().topology, task_.collective.demand, machine,
                              routing != nullptr && routing->is_dimension_ordered);
  if (verdict.verification.rounds >= verdict.bound.rounds) return;
  throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                   verdict.algorithm, context().topology.name()));
}

void CollectiveWorkload::adapt(NetworkPlan& network) {
  set_startup(network);
  executor_->adapt(network);
}

void CollectiveWorkload::check_fit(const NetworkPlan&) const {
  const Demand& demand = task_.collective.demand;
  if (!ChunkLedger::has_space_for(demand)) {
    section().fail("operation",
                   fmt::format("{} chunks at {} nodes are too many to keep account of",
                               demand.chunks(), demand.nodes),
                   "use a smaller network; `schedule` verifies it without one");
  }
  executor_->check_fit();
}

void CollectiveWorkload::join(const NetworkPlan& network) {
  check_fit(network);
  play(executor_->join(network));
}

// Wrong data at the end indicate an internal error, in the plan or in the network.
void CollectiveWorkload::audit(const Network&) const {
  if (!finished() || player()->wrong() == 0) return;
  throw InvariantError(fmt::format("{} {} are missing or wrong at their nodes", player()->wrong(),
                                   executor_->parts()));
}

void CollectiveWorkload::write_schedule(std::ostream& out) const {
  write_dump(out, context().topology, schedule(), task_.collective.discipline.switching);
}

std::vector<Param> collective_workload_params() {
  return concatenated({collective_params(), collective_data_params()});
}

WorkloadEntry collective_workload() {
  return {{"collective",
           "A collective operation, from its first send to its last arrival.",
           collective_workload_params,
           makes<CollectiveWorkload>(),
           {"operation: gossip, algorithm: unicast_rounds, length: 4",
            "operation: barrier, algorithm: unicast_rounds",
            "operation: reduce, algorithm: binomial, data: {operator: add, type: float32}"}},
          CollectiveWorkload::figure_meanings()};
}

}  // namespace flitcast
