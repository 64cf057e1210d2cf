// SPDX-License-Identifier: Apache-2.0
#include "conformance/collective_network_rows.h"

#include <stdexcept>
#include <string>

#include "collective/verification.h"
#include "conformance/child.h"
#include "conformance/collective_instance.h"
#include "topology/adjacency.h"

namespace flitcast::conformance {

CostModel feasible(CostModel cost) {
  if (cost.flit == 0 || cost.length == 0) {
    throw std::invalid_argument("no network carries messages of no flits or flits in no time");
  }
  while (!has_network(cost)) {
    if (cost.hop < 2) {
      cost.hop = 2;
    } else {
      ++cost.startup;
    }
  }
  return cost;
}

NetworkOutcome play_apart(const ScheduleToPlay& what) {
  Child<NetworkOutcome> child([&] { return play(what); });
  return child.result();
}

std::vector<Difference> differences_on_network(const Row& row) {
  CollectiveInstance instance = collective_instance(row);
  const Collective& collective = instance.collective;
  const CostModel cost = feasible(cost_of(row));
  const Verification verification = verify(*instance.topology, collective.plan.schedule,
                                           collective.demand, collective.discipline);
  if (collective.discipline.ports == kAllPorts) {
    instance.topology->widen_nodes(most_router_ports(*instance.topology));
  }
  const NetworkOutcome outcome =
      play_apart({*instance.topology, collective.plan.schedule, collective.demand,
                  collective.discipline.switching, cost});
  if (!outcome.finished) return {{"network", "an end", "a standstill"}};
  std::vector<Difference> differences;
  const std::uint64_t expected =
      analytic_cycles(cost, collective.discipline.switching, verification);
  if (outcome.cycles != expected) {
    differences.push_back(
        {"network cycles", std::to_string(expected), std::to_string(outcome.cycles)});
  }
  if (outcome.wrong_chunks != 0) {
    differences.push_back({"wrong chunks", "0", std::to_string(outcome.wrong_chunks)});
  }
  return differences;
}

}  // namespace flitcast::conformance
