// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clos/catalog.h"
#include "clos/connection_admission.h"

namespace flitcast {

/// The fate of a request that the control finds blocked.
enum class WhenBlocked {
  /// The request is retried after the next release of a connection. If a strategy blocks a request
  /// in an empty network, the request never succeeds.
  kRetry,
  kDrop,  ///< The request is dropped and counted, and its source is notified.
};

/// Timing and control of a circuit-switched Clos network. Times are in cycles.
struct CircuitParams {
  std::uint32_t request_cycles = 1;        ///< t_req: from a terminal to the controller.
  std::uint32_t configuration_cycles = 1;  ///< t_cfg: writing the crossbars of a path.
  std::uint32_t stage_cycles = 1;          ///< t_s: through a crossbar and its link, 1 to 4095.
  std::uint32_t teardown_cycles = 1;  ///< t_td: from the tail's arrival to idle ports and links.

  /// The controller design that determines the clocks of a service, by its name in
  /// clos::controllers(). A strategy with a hardware model uses its own clocks.
  std::string controller = "par_adder";
  /// The strategy of every level; null: the linear control algorithm, S1.
  clos::StrategyMaker strategy = nullptr;
  /// One entry for each level; empty: the defaults.
  std::vector<clos::AdmissionParams> control{};
  WhenBlocked when_blocked = WhenBlocked::kRetry;
  std::uint64_t seed = 1;  ///< Seed of random strategies.

  // The members below do not change any result.

  /// Runs one cycle per activation, so that sc_start advances the network beside other SystemC
  /// modules. If false, only CircuitNetwork::run advances it.
  bool lockstep = false;
  /// Makes a module for every link in addition to those for switches and terminals.
  bool full_hierarchy = true;
};

}  // namespace flitcast
