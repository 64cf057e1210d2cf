// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "collective/catalog.h"
#include "collective/check_claim.h"
#include "collective/cost.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Makes the plan of an operation in rounds.
inline Plan rounds_on(const Topology& topology, const Demand& demand, bool multicast) {
  const char* const algorithm = multicast ? "multicast_rounds" : "unicast_rounds";
  return collectives()
      .find(algorithm)
      ->make(Section::of("workload", {}),
             {topology, demand.source, kAllPorts, demand.operation, demand.receivers})
      .plan;
}

/// An operation on N nodes in rounds.
struct RoundCase {
  std::string name;
  Demand demand;
  bool multicast = false;

  Discipline discipline() const { return {Switching::kAnyNetwork, 1, multicast}; }
  Plan plan() const { return rounds_on(Complete(demand.nodes), demand, multicast); }
  LowerBound bound() const { return lower_bound(Complete(demand.nodes), demand, discipline()); }
  Verification verified(const Schedule& schedule) const {
    return verify(Complete(demand.nodes), schedule, demand, discipline());
  }
  /// Verifies a schedule against the claim of the case.
  Verification held_to_claim(const Schedule& schedule) const {
    return verify(Complete(demand.nodes), schedule, demand, discipline(), plan().claim);
  }
};

/// Makes the case of an operation on N nodes from this source; multicasts go to half of the other
/// nodes.
inline RoundCase round_case(const OperationName& entry, std::size_t nodes, bool multicast,
                            std::uint32_t source = 0) {
  Demand demand{entry.operation, nodes};
  if (has_source(entry.operation)) demand.source = NodeId{source};
  if (entry.operation == Operation::kMulticast) {
    demand.receivers = nodes_after(demand.source, nodes / 2, nodes);
  }
  return {std::string(entry.name) + " on " + std::to_string(nodes), demand, multicast};
}

/// Makes a case for every operation that is defined on N nodes, with or without multicast.
inline std::vector<RoundCase> round_cases(std::size_t nodes, bool multicast,
                                          std::uint32_t source = 0) {
  std::vector<RoundCase> cases;
  for (const OperationName& entry : operations()) {
    const char* const algorithm = multicast ? "multicast_rounds" : "unicast_rounds";
    if (!collectives().find(algorithm)->carries_out(entry.operation)) continue;
    cases.push_back(round_case(entry, nodes, multicast, source));
  }
  return cases;
}

}  // namespace flitcast
