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

/// What the program makes of an experiment, computed in this process.
struct Observed {
  nlohmann::ordered_json result;
  std::string summary;
  std::vector<LoggedPacket> log;
  NetworkParams params;        ///< Of the network that it has built.
  std::string implementation;  ///< Its name.
  std::string waveform;        ///< The VCD file, if there is one.

  std::uint64_t simulated_cycles() const { return result.at("cycles").get<std::uint64_t>(); }
};

/// The experiment of a file with this text, with assignments as after --set. Relative paths in the
/// text start in the folder of `file`, which need not exist. Throws ConfigError.
Configuration configuration_of(const std::string& text, const std::vector<std::string>& set = {},
                               const std::string& file = "x.yaml");

/// What is in all buffers in all of its cycles.
MonitoredFlits monitored(const Configuration& configuration);

/// Runs it, even if it can deadlock, in a kernel of its own.
Observed observe(const Configuration& configuration);

}  // namespace flitcast::program
