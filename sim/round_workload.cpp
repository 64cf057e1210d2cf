// SPDX-License-Identifier: Apache-2.0
#include "sim/round_workload.h"

#include <fmt/format.h>

#include "collective/precondition.h"
#include "collective/rounds/catalog.h"
#include "router/invariant.h"
#include "sim/central_control.h"
#include "sim/collective_workload.h"
#include "sim/round_time.h"
#include "traffic/round_player.h"

namespace flitcast {

namespace {

// 0 stands for all other nodes.
std::size_t receivers_of(const Section& workload, std::size_t nodes) {
  const auto given = static_cast<std::size_t>(workload.integer("receivers"));
  if (given < nodes) return given == 0 ? nodes - 1 : given;
  workload.fail("receivers",
                fmt::format("{} nodes beside the source are more than the {} that there are", given,
                            nodes - 1),
                "use 0 for all of them");
}

void require_room(const RoundDemand& demand, const Section& workload) {
  if (demand.items() <= kMostRoundEntries / demand.nodes) return;
  workload.fail("operation",
                fmt::format("{} chunks at {} nodes are too many to keep account of", demand.items(),
                            demand.nodes),
                "use a smaller network");
}

RoundDemand demand_of(const Section& workload, std::size_t nodes) {
  RoundDemand demand;
  demand.operation = find_round_operation(workload.text("operation"))->operation;
  demand.nodes = nodes;
  if (has_source(demand.operation)) {
    demand.source = NodeId{static_cast<std::uint32_t>(workload.integer("source"))};
  }
  if (demand.operation == RoundOperation::kMulticast) {
    demand.receivers = receivers_of(workload, nodes);
  }
  require_room(demand, workload);
  return demand;
}

void judge(RoundWorkload& workload) {
  workload.judgement = judge_rounds(workload.plan, workload.demand, workload.claim);
  if (!workload.judgement.legal()) {
    throw InvariantError(fmt::format("the rounds of {} are wrong: {}", workload.algorithm,
                                     workload.judgement.violations.front().text));
  }
}

std::optional<std::uint64_t> analytic_time(const RoundWorkload& workload,
                                           const Configuration& configuration,
                                           const Topology& topology, const NetworkParams& params) {
  const auto* clos = dynamic_cast<const Clos*>(&topology);
  if (clos == nullptr || !is_centrally_controlled(configuration)) return std::nullopt;
  const clos::MultistageStructure structure = structure_of(*clos);
  const CircuitParams control = control_of(configuration, *clos);
  if (!params.circuit) {
    const Switching switching =
        params.router.store_and_forward ? Switching::kStoreAndForward : Switching::kWormhole;
    return packet_rounds_cycles(workload.plan, structure, control, workload.cost, switching);
  }
  CircuitParams circuit = *params.circuit;
  circuit.strategy = control.strategy;
  circuit.control = control.control;
  return circuit_rounds_cycles(workload.plan, structure, circuit, workload.cost.length);
}

}  // namespace

bool runs_in_rounds(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  return workload.text("kind") == "collective" &&
         find(round_methods(), workload.text("algorithm")) != nullptr;
}

RoundWorkload make_round_workload(const Configuration& configuration, const Topology& topology,
                                  const NetworkParams& params) {
  const Section& section = configuration.section("workload");
  RoundWorkload workload;
  workload.algorithm = section.text("algorithm");
  const RoundMethod method = find(round_methods(), workload.algorithm)->make;
  workload.demand = demand_of(section, topology.node_count());
  try {
    workload.plan = make_rounds(workload.demand, method);
  } catch (const PreconditionError& error) {
    fail(configuration, error);
  }
  workload.claim = claim_of(workload.demand, method);
  judge(workload);
  workload.cost = cost_model(configuration, params);
  workload.cost.length =
      message_length(workload.demand.operation, static_cast<std::uint32_t>(workload.cost.length));
  workload.analytic_cycles = analytic_time(workload, configuration, topology, params);
  return workload;
}

}  // namespace flitcast
