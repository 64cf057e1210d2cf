// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/rounds/round_claim.h"
#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"

namespace flitcast {

/// The plan of an operation by a method; see trees.h, shifts.h and reductions.h.
///
/// Throws PreconditionError where the method is not defined (unicast all-reduce: N a power of two)
/// and for a source that is no node; std::invalid_argument for no node, and for a multicast to none
/// or to more than the N - 1 others (N > 1).
RoundPlan make_rounds(const RoundDemand& demand, RoundMethod method);

}  // namespace flitcast
