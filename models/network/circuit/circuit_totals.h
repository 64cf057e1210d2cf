// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/circuit/waiting_requests.h"

namespace flitcast {

/// Counters of a circuit-switched network since the start, in addition to the Totals of all
/// networks.
///
/// The latency of every packet, from its creation to the arrival of its tail, is the sum of
///   source + t_req + (outputs + controller + path) + T_ctl + t_cfg + (2k + 1) t_s + L - 1
/// cycles, where T_ctl is the number of clocks of the service that granted it.
struct CircuitTotals {
  std::uint64_t requests = 0;  ///< Requests that have reached the controller.
  std::uint64_t granted = 0;   ///< Services that found a path.
  std::uint64_t blocked = 0;   ///< Services that found no path; a retried request counts each time.
  std::uint64_t dropped = 0;   ///< Dropped requests.
  std::uint64_t flits_dropped = 0;  ///< Flits of the packets of dropped requests.
  std::uint64_t grant_cycles = 0;   ///< Controller clocks of the services that found a path.
  std::uint64_t block_cycles = 0;   ///< Controller clocks of the other services.
  /// Cycles that packets waited for their terminal, behind earlier packets or a held connection.
  std::uint64_t source_wait = 0;
  RequestWaits waits{};
};

}  // namespace flitcast
