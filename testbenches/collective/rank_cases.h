// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collective/catalog.h"
#include "collective/check_claim.h"
#include "collective/precondition.h"
#include "topology/hypercube.h"

namespace flitcast {

/// An algorithm between p ranks for one operation, with some of its own keys.
struct RankCase {
  std::string algorithm;
  Operation operation{};
  std::map<std::string, nlohmann::json> keys{};

  std::string name() const { return std::string(to_text(operation)) + " by " + algorithm; }

  Collective on(std::size_t p, std::size_t root = 0) const {
    const Complete network(p);
    CollectiveContext context{network, NodeId{static_cast<std::uint32_t>(root)}};
    context.operation = operation;
    context.receivers = nodes_after(context.source, p / 2, p);
    const CollectiveEntry& entry = *collectives().find(algorithm);
    std::map<std::string, nlohmann::json> values = keys;
    for (const Param& param : entry.params()) values.try_emplace(param.key, param.fallback);
    return entry.make(Section::of("workload", values), context);
  }

  /// Returns no value where the algorithm is not defined.
  std::optional<Collective> if_defined(std::size_t p, std::size_t root = 0) const {
    try {
      return on(p, root);
    } catch (const PreconditionError&) {
      return std::nullopt;
    }
  }
};

/// Every algorithm between ranks whose nodes send the messages, with every operation that it
/// carries out between ranks.
inline std::vector<RankCase> rank_cases() {
  std::vector<RankCase> cases;
  for (const CollectiveEntry& entry : collectives()) {
    if (entry.forward != nullptr) continue;
    for (const Operation operation : entry.on_ranks) {
      cases.push_back({entry.name, operation});
    }
  }
  return cases;
}

/// Verifies the plan against the claim of the algorithm.
inline Verification verified(const Collective& collective, const Schedule& schedule) {
  return verify(Complete(collective.demand.nodes), schedule, collective.demand,
                collective.discipline, collective.plan.claim);
}
inline Verification verified(const Collective& collective) {
  return verified(collective, collective.plan.schedule);
}

}  // namespace flitcast
