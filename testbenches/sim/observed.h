// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "network/network_params.h"
#include "replay.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast::program {

/// Outputs of the program for an experiment, computed in this process.
struct Observed {
  nlohmann::ordered_json result;
  std::string summary;
  std::vector<LoggedPacket> log;
  NetworkParams params;        ///< Parameters of the network.
  std::string implementation;  ///< Name of the implementation.
  std::string waveform;        ///< The VCD file, if there is one.

  /// Cycles to the last arrival, this included; `log` is in the order of arrivals.
  std::uint64_t cycles_to_last_arrival() const { return log.back().arrived + 1; }
  std::uint64_t simulated_cycles() const { return result.at("cycles").get<std::uint64_t>(); }
};

/// Reads the experiment of a file with this text, with assignments as after --set. Relative paths
/// in the text start in the folder of `file`, which need not exist. Throws ConfigError.
Configuration configuration_of(const std::string& text, const std::vector<std::string>& set = {},
                               const std::string& file = "x.yaml");

/// Returns the content of all buffers in all cycles.
MonitoredFlits monitored(const Configuration& configuration);

/// Runs the experiment in a new kernel, even if it can deadlock.
Observed observe(const Configuration& configuration);

}  // namespace flitcast::program
