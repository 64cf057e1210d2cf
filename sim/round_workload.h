// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collective/cost_model.h"
#include "collective/rounds/judge_rounds.h"
#include "collective/rounds/make_rounds.h"
#include "config/configuration.h"
#include "network/network_params.h"
#include "topology/topology.h"

namespace flitcast {

/// A collective workload in rounds, judged on the abstract machine: the sibling of
/// CollectiveWorkload, whose schedules count on the paths of one topology.
struct RoundWorkload {
  std::string algorithm;
  RoundDemand demand;
  RoundPlan plan;
  RoundClaim claim;
  RoundJudgement judgement;
  CostModel cost;  ///< Of the network that the experiment describes; its length: of a message.
  /// Of a Clos network under central control. Absent on others, where messages of a round get into
  /// each other's way, and where round_time.h has no formula.
  std::optional<std::uint64_t> analytic_cycles;
};

/// Whether the workload is a collective operation to be carried out in rounds.
bool runs_in_rounds(const Configuration& configuration);

/// Makes and judges what the configuration's workload describes. Throws ConfigError where the
/// algorithm is not defined, for a source or receivers that there are not and for more than can be
/// kept account of; InvariantError for a plan that the abstract machine refuses.
RoundWorkload make_round_workload(const Configuration& configuration, const Topology& topology,
                                  const NetworkParams& params);

}  // namespace flitcast
