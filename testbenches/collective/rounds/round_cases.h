// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "collective/rounds/catalog.h"
#include "collective/rounds/judge_rounds.h"
#include "collective/rounds/make_rounds.h"

namespace flitcast {

/// An operation on N nodes by a method.
struct RoundCase {
  std::string name;
  RoundDemand demand;
  RoundMethod method = RoundMethod::kUnicast;

  RoundPlan plan() const { return make_rounds(demand, method); }
  RoundClaim claim() const { return claim_of(demand, method); }
};

inline bool is_power_of_two(std::size_t number) { return (number & (number - 1)) == 0; }

/// Every operation that is defined on N nodes, by one method, from this source; multicasts to half
/// of the others.
inline std::vector<RoundCase> round_cases(std::size_t nodes, RoundMethod method,
                                          std::uint32_t source = 0) {
  std::vector<RoundCase> cases;
  for (const RoundOperationEntry& entry : round_operations()) {
    if (entry.operation == RoundOperation::kAllReduce && method == RoundMethod::kUnicast &&
        !is_power_of_two(nodes)) {
      continue;
    }
    RoundDemand demand{entry.operation, nodes};
    if (has_source(entry.operation)) demand.source = NodeId{source};
    if (entry.operation == RoundOperation::kMulticast) demand.receivers = nodes / 2;
    cases.push_back({std::string(entry.name) + " on " + std::to_string(nodes), demand, method});
  }
  return cases;
}

}  // namespace flitcast
