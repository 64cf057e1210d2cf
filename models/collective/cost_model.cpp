// SPDX-License-Identifier: Apache-2.0
#include "collective/cost_model.h"

namespace flitcast {

std::uint32_t message_length(Operation operation, std::uint32_t length) {
  return operation == Operation::kBarrier ? 1 : length;
}

std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops) {
  const std::uint64_t body = cost.length * cost.flit;
  if (switching == Switching::kWormhole) return cost.startup + hops * cost.hop + body;
  return cost.startup + hops * (cost.hop + body);
}

std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Judgement& judgement) {
  std::uint64_t cycles = 0;
  for (std::size_t round = 0; round < judgement.rounds; ++round) {
    const std::size_t hops = judgement.longest_path_per_round[round];
    if (hops > 0) cycles += message_cycles(cost, switching, hops);
  }
  return cycles;
}

}  // namespace flitcast
