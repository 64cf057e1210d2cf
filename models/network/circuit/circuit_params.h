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
  /// It is served again after the next release of a connection. A strategy that blocks a request
  /// without any connection never gets it through.
  kRetry,
  kDrop,  ///< It is dropped and counted, and its source is notified.
};

/// Timing and control of a circuit-switched Clos network. Times are in cycles.
struct CircuitParams {
  std::uint32_t request_cycles = 1;        ///< t_req: from a terminal to the controller.
  std::uint32_t configuration_cycles = 1;  ///< t_cfg: writing the crossbars of a path.
  std::uint32_t stage_cycles = 1;          ///< t_s: through a crossbar and its link, 1 to 4095.
  std::uint32_t teardown_cycles = 1;  ///< t_td: from the tail's arrival to idle ports and links.

  /// The design whose clocks a service takes, by its name in clos::controllers(). A strategy that
  /// is hardware itself takes its own.
  std::string controller = "par_adder";
  /// The strategy of every level; null: the linear control algorithm, S1.
  clos::StrategyMaker strategy = nullptr;
  /// One for each level; none: the defaults.
  std::vector<clos::AdmissionParams> control{};
  WhenBlocked when_blocked = WhenBlocked::kRetry;
  std::uint64_t seed = 1;  ///< For random strategies.

  // None of the following changes any result.

  /// One cycle per activation, so that sc_start moves the network beside other SystemC modules.
  /// Otherwise only CircuitNetwork::run does.
  bool lockstep = false;
  /// A module for every link besides switches and terminals.
  bool full_hierarchy = true;
};

}  // namespace flitcast
