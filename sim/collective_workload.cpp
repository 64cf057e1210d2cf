// SPDX-License-Identifier: Apache-2.0
#include "sim/collective_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "router/invariant.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

const OperationEntry& operation_of(const Section& workload) {
  const std::string& name = workload.text("operation");
  return *std::find_if(operations().begin(), operations().end(),
                       [&](const OperationEntry& entry) { return name == entry.name; });
}

CollectiveContext context_of(const Configuration& configuration, const Topology& topology) {
  const Section& workload = configuration.section("workload");
  const std::size_t ports = topology.node_ports();
  CollectiveContext context{topology};
  const Section& node = configuration.section("node");
  const bool all = node.is_integer("ports") ? ports > 1 && ports >= most_router_ports(topology)
                                            : node.text("ports") == "all";
  context.ports = all ? kAllPorts : static_cast<unsigned>(ports);
  const OperationEntry& operation = operation_of(workload);
  const bool has_source =
      operation.operation == Operation::kBroadcast || operation.operation == Operation::kScatter;
  if (has_source) context.source = NodeId{static_cast<std::uint32_t>(workload.integer("source"))};
  return context;
}

void make(CollectiveWorkload& result, const Configuration& configuration,
          const CollectiveContext& context, const NetworkParams& params) {
  const Section& workload = configuration.section("workload");
  result.algorithm = workload.text("algorithm");
  try {
    result.collective =
        find(operation_of(workload).algorithms(), result.algorithm)->make(workload, context);
    if (!routers_forward(configuration)) return;
    result.forwarding = find(router_forwardings(), result.algorithm)
                            ->make(workload, context, params.router.virtual_channels);
  } catch (const PreconditionError& error) {
    fail(configuration, error);
  }
}

// One formula for each switching, if all channels are alike.
std::optional<std::uint64_t> analytic_time(const CollectiveWorkload& workload,
                                           const Topology& topology, Switching switching) {
  const auto& channels = topology.channels();
  const bool alike = std::all_of(channels.begin(), channels.end(),
                                 [](const Channel& channel) { return channel.latency == 0; });
  if (!alike) return std::nullopt;
  if (!workload.forwarding) {
    return analytic_cycles(workload.cost, switching, workload.judgement);
  }
  const bool gossip = workload.collective.demand.operation == Operation::kGossip;
  if (gossip && switching == Switching::kWormhole) return std::nullopt;
  if (workload.forwarding->injections.empty()) return 0;
  return message_cycles(workload.cost, switching, workload.forwarding->depth);
}

}  // namespace

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

void fail(const Configuration& configuration, const PreconditionError& error) {
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

bool routers_forward(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  return workload.text("kind") == "collective" &&
         find(router_forwardings(), workload.text("algorithm")) != nullptr &&
         workload.text("forwarding") == "routers";
}

std::size_t node_ports(const Configuration& configuration, const Topology& topology) {
  const Section& node = configuration.section("node");
  if (node.is_integer("ports")) return static_cast<std::size_t>(node.integer("ports"));
  return node.text("ports") == "all" ? most_router_ports(topology) : 1;
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
  if (result.judgement.rounds < result.bound.rounds) {
    throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                     result.algorithm, topology.name()));
  }
  result.cost = cost_model(configuration, params);
  const Switching switching =
      params.router.store_and_forward ? Switching::kStoreAndForward : Switching::kWormhole;
  result.analytic_cycles = analytic_time(result, topology, switching);
  return result;
}

}  // namespace flitcast
