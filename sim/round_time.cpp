// SPDX-License-Identifier: Apache-2.0
#include "sim/round_time.h"

#include <algorithm>
#include <vector>

#include "network/circuit/timed_admission.h"

namespace flitcast {

namespace {

std::vector<std::size_t> in_order_of_senders(const Schedule& schedule, std::size_t round) {
  std::vector<std::size_t> messages;
  for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) messages.push_back(m);
  std::sort(messages.begin(), messages.end(), [&](std::size_t a, std::size_t b) {
    return schedule.message(a).from < schedule.message(b).from;
  });
  return messages;
}

/// The controller's clocks for all requests of a round, from and to an empty network; absent if one
/// is blocked.
std::optional<std::uint64_t> clocks_of_round(const Schedule& schedule, std::size_t round,
                                             TimedAdmission& control) {
  const std::vector<std::size_t> messages = in_order_of_senders(schedule, round);
  std::uint64_t clocks = 0;
  for (const std::size_t m : messages) {
    std::vector<clos::OutputId> outputs;
    for (const NodeId to : schedule.receivers(m)) outputs.push_back(clos::OutputId{index(to)});
    std::sort(outputs.begin(), outputs.end());
    const TimedVerdict verdict =
        control.connect(clos::InputId{index(schedule.message(m).from)}, outputs);
    if (verdict.blocked) return std::nullopt;
    clocks += verdict.clocks;
  }
  for (const std::size_t m : messages) {
    control.disconnect(clos::InputId{index(schedule.message(m).from)});
  }
  return clocks;
}

}  // namespace

std::optional<std::uint64_t> packet_rounds_cycles(const Schedule& schedule,
                                                  const clos::MultistageStructure& structure,
                                                  const CircuitParams& control_params,
                                                  const CostModel& cost, Switching switching) {
  TimedAdmission control(structure, control_params);
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    if (!clocks_of_round(schedule, round, control)) return std::nullopt;
  }
  const std::uint64_t into_first =
      switching == Switching::kStoreAndForward ? cost.length - 1 + cost.flit : 0;
  return schedule.rounds() * (message_cycles(cost, switching, structure.stages() - 1) + into_first);
}

std::optional<std::uint64_t> circuit_rounds_cycles(const Schedule& schedule,
                                                   const clos::MultistageStructure& structure,
                                                   const CircuitParams& params,
                                                   std::uint64_t length) {
  if (schedule.rounds() > 1 && params.teardown_cycles > 1) return std::nullopt;
  TimedAdmission control(structure, params);
  const std::uint64_t of_a_round = params.request_cycles + params.configuration_cycles +
                                   structure.stages() * params.stage_cycles + length;
  std::uint64_t cycles = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::optional<std::uint64_t> clocks = clocks_of_round(schedule, round, control);
    if (!clocks) return std::nullopt;
    cycles += of_a_round + *clocks;
  }
  return cycles;
}

}  // namespace flitcast
