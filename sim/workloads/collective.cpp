// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "router/invariant.h"
#include "sim/workloads/collective_data.h"

namespace flitcast {

namespace {

// A start-up is at least as long as the time in the interfaces of the nodes.
CostModel cost_model(const WorkloadContext& context, const Collective& collective) {
  const NetworkParams& params = context.params;
  const auto least =
      static_cast<std::uint64_t>(std::max<std::int64_t>(interface_cycles(params), 0));
  const std::uint64_t startup = context.configuration.section("node").count("startup");
  const auto length = static_cast<std::uint32_t>(context.section().integer("length"));
  return {std::max(startup, least), hop_cycles(params), params.cycles_per_flit,
          longest_message(collective.demand, collective.plan.schedule, length)};
}

}  // namespace

CollectiveWorkload::CollectiveWorkload(const WorkloadContext& context)
    : context_(context), instance_(collective_instance(context)) {
  try {
    make();
  } catch (const PreconditionError& error) {
    fail(error);
  }
  verdict_.cost = cost_model(context, collective_);
  verdict_.self_timed = task().self_timed();
  verify();
  executor_->measure_paths(verdict_);
  executor_->check();
  verdict_.analytic_cycles = executor_->analytic_cycles();
}

void CollectiveWorkload::make() {
  verdict_.algorithm = section().text("algorithm");
  verdict_.rank_nodes = instance_.placement.nodes();
  collective_ = collectives().find(verdict_.algorithm)->make(section(), instance_.context);
  executor_ = make_executor(task());
}

void CollectiveWorkload::fail(const PreconditionError& error) const {
  switch (error.subject()) {
    case PreconditionError::Subject::kSource:
      section().fail("source", error.reason(), error.hint());
    case PreconditionError::Subject::kPorts:
      configuration().section("node").fail("ports", error.reason(), error.hint());
    case PreconditionError::Subject::kTopology:
      break;
  }
  section().fail("algorithm", error.reason(), error.hint());
}

void CollectiveWorkload::verify() {
  const Topology& topology = context_.topology;
  const auto& [demand, discipline, plan] = collective_;
  require(section(), "operation",
          with_space(demand.chunks() <= kMostVerified / demand.nodes, "use a smaller network"));
  verdict_.verification = flitcast::verify(topology, plan.schedule, demand, discipline, plan.claim);
  if (!verdict_.verification.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", verdict_.algorithm,
                                     topology.name(),
                                     verdict_.verification.violations.front().text));
  }
  verdict_.has_paths = discipline.switching != Switching::kAnyNetwork;
  verdict_.bound = lower_bound(topology, demand, discipline);
  if (verdict_.verification.rounds < verdict_.bound.rounds) {
    throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                     verdict_.algorithm, topology.name()));
  }
}

Precondition CollectiveWorkload::with_space(bool has_space, const char* hint) const {
  if (has_space) return {};
  return violated(fmt::format("{} chunks at {} nodes are too many to keep account of",
                              collective_.demand.chunks(), collective_.demand.nodes),
                  hint);
}

// A start-up contains the time in the interfaces of both nodes.
void CollectiveWorkload::adapt(NetworkPlan& network) {
  network.params.startup = static_cast<std::uint32_t>(
      static_cast<std::int64_t>(verdict_.cost.startup) - interface_cycles(context_.params));
  executor_->adapt(network);
}

void CollectiveWorkload::join(const NetworkPlan& network) {
  require(section(), "operation",
          with_space(ChunkLedger::has_space_for(collective_.demand),
                     "use a smaller network; `schedule` verifies it without one"));
  player_ = executor_->join(network);
}

std::optional<std::uint64_t> CollectiveWorkload::cycles() const {
  if (!finished()) return std::nullopt;
  return player_->cycles();
}

// Wrong data at the end indicate an internal error, in the plan or in the network.
void CollectiveWorkload::audit(const Network&) const {
  if (!finished() || player_->wrong() == 0) return;
  throw InvariantError(fmt::format("{} {} are missing or wrong at their nodes", player_->wrong(),
                                   executor_->parts()));
}

void CollectiveWorkload::write_schedule(std::ostream& out) const {
  write_dump(out, context_.topology, schedule(), collective_.discipline.switching);
}

std::vector<Param> collective_workload_params() {
  std::vector<Param> params = collective_params();
  for (Param& param : collective_data_params()) params.push_back(std::move(param));
  return params;
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
