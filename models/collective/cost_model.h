// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/discipline.h"
#include "collective/step_machine.h"

namespace flitcast {

/// The cost model of the lectures, in cycles: an unloaded message of m flits over h hops takes
///   store-and-forward  ts + h (td + m tm)        wormhole, cut-through  ts + h td + m tm
/// and rounds that wait for each other take the sum, over rounds, of their longest messages.
struct CostModel {
  std::uint64_t startup = 0;  ///< ts: a node's overhead for a message.
  std::uint64_t hop = 1;      ///< td: a head's way through a router and over a channel.
  std::uint64_t flit = 1;     ///< tm: a channel carries one flit in so many cycles.
  std::uint64_t length = 1;   ///< m: flits of a message.
};

/// The time of synchronised rounds; `judgement` tells how many and how long their paths are. Rounds
/// without a send cost nothing.
std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Judgement& judgement);

}  // namespace flitcast
