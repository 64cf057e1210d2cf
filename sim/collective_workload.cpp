// SPDX-License-Identifier: Apache-2.0
#include "sim/collective_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "collective/precondition.h"
#include "router/invariant.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

const OperationEntry& operation_of(const Section& workload) {
  const std::string& name = workload.text("operation");
  return *std::find_if(operations().begin(), operations().end(),
                       [&](const OperationEntry& entry) { return name == entry.name; });
}

[[noreturn]] void fail(const Configuration& configuration, const PreconditionError& error) {
  switch (error.subject()) {
    case PreconditionError::Subject::kSource:
      configuration.section("workload").fail("source", error.reason(), error.remedy());
    case PreconditionError::Subject::kPorts:
      configuration.section("node").fail("ports", error.reason(), error.remedy());
    case PreconditionError::Subject::kTopology:
      break;
  }
  configuration.section("workload").fail("algorithm", error.reason(), error.remedy());
}

CollectiveContext context_of(const Configuration& configuration, const Topology& topology) {
  const Section& workload = configuration.section("workload");
  const std::size_t ports = topology.node_ports();
  CollectiveContext context{topology};
  const Section& node = configuration.section("node");
  const bool all = node.is_integer("ports") ? ports > 1 && ports >= most_channels(topology)
                                            : node.text("ports") == "all";
  context.ports = all ? kAllPorts : static_cast<unsigned>(ports);
  const OperationEntry& operation = operation_of(workload);
  const bool has_source =
      operation.operation == Operation::kBroadcast || operation.operation == Operation::kScatter;
  if (has_source) context.source = NodeId{static_cast<std::uint32_t>(workload.integer("source"))};
  return context;
}

bool routers_forward(const Section& workload) {
  return find(router_forwardings(), workload.text("algorithm")) != nullptr &&
         workload.text("forwarding") == "routers";
}

void make(CollectiveWorkload& result, const Configuration& configuration,
          const CollectiveContext& context, const NetworkParams& params) {
  const Section& workload = configuration.section("workload");
  result.algorithm = workload.text("algorithm");
  try {
    result.collective =
        find(operation_of(workload).algorithms(), result.algorithm)->make(workload, context);
    if (!routers_forward(workload)) return;
    result.forwarding = find(router_forwardings(), result.algorithm)
                            ->make(workload, context, params.router.virtual_channels);
  } catch (const PreconditionError& error) {
    fail(configuration, error);
  }
}

// A start-up shorter than the way through the nodes' interfaces does not exist.
CostModel cost_model(const Configuration& configuration, const NetworkParams& params) {
  const auto interface =
      static_cast<std::uint64_t>(std::max<std::int64_t>(interface_cycles(params), 0));
  CostModel cost;
  cost.startup = std::max(
      static_cast<std::uint64_t>(configuration.section("node").integer("startup")), interface);
  cost.hop = hop_cycles(params);
  cost.flit = params.cycles_per_flit;
  cost.length = static_cast<std::uint64_t>(configuration.section("workload").integer("length"));
  return cost;
}

}  // namespace

std::size_t node_ports(const Configuration& configuration, const Topology& topology) {
  const Section& node = configuration.section("node");
  if (node.is_integer("ports")) return static_cast<std::size_t>(node.integer("ports"));
  return node.text("ports") == "all" ? most_channels(topology) : 1;
}

CollectiveWorkload make_collective(const Configuration& configuration, const Topology& topology,
                                   const NetworkParams& params) {
  CollectiveWorkload result;
  make(result, configuration, context_of(configuration, topology), params);
  const Collective& collective = result.collective;
  result.judgement = judge(topology, collective.plan.schedule, collective.demand,
                           collective.discipline, collective.plan.claim);
  if (!result.judgement.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", result.algorithm,
                                     topology.name(), result.judgement.violations.front().text));
  }
  result.bound = lower_bound(topology, collective.demand, collective.discipline);
  result.cost = cost_model(configuration, params);
  const Switching switching =
      params.router.store_and_forward ? Switching::kStoreAndForward : Switching::kWormhole;
  result.analytic_cycles = result.forwarding
                               ? message_cycles(result.cost, switching, result.forwarding->depth)
                               : analytic_cycles(result.cost, switching, result.judgement);
  return result;
}

}  // namespace flitcast
