// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"

namespace flitcast {

// One node to some or all. Ranks count from the source upwards; the receivers are 1 .. g.

/// One round, one message: the network makes the copies. No round without a receiver.
RoundPlan one_multicast(const RoundDemand& demand, std::size_t receivers);

/// Along the binomial tree of the ranks 0 .. g: ceil(log2(g + 1)) rounds, g messages.
///
/// Steps halve, so messages go far while they are few and their paths in grids stay apart; in which
/// order steps come makes no difference to a nonblocking network.
RoundPlan binomial_copies(const RoundDemand& demand, std::size_t receivers);

/// All contributions to the source, along the same tree backwards: ceil(log2 N) rounds, N - 1
/// messages. A node adds what it receives to what it has.
RoundPlan binomial_reduction(const RoundDemand& demand);

}  // namespace flitcast
