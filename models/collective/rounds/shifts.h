// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"

namespace flitcast {

// N - 1 rounds; in round t = 1 .. N - 1 chunks go t nodes further.

/// The source sends the chunk of node source + t.
RoundPlan shifted_scatter(const RoundDemand& demand);
/// The root receives the chunk of node root + t.
RoundPlan shifted_gather(const RoundDemand& demand);
/// Every node q sends its chunk to node q + t: N (N - 1) messages, a permutation in every round.
RoundPlan shifted_gossip(const RoundDemand& demand);
/// Every node q sends to node q + t the chunk for it.
RoundPlan shifted_exchange(const RoundDemand& demand);

/// Gossip with hardware multicast: one node after the other sends its chunk to all others, as no
/// node can receive two at a time. N rounds, N messages.
RoundPlan multicasts_in_turn(const RoundDemand& demand);

}  // namespace flitcast
