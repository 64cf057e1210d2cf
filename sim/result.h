// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "sim/measurement.h"
#include "sim/model.h"

namespace flitcast {

/// The result of a run as JSON, the same bytes for equal configuration, seed and version, apart
/// from `wall_seconds` and `host`. Rates are flits per node and cycle, latencies cycles. Keys that
/// do not apply are absent. Every figure is explained by figure_reference().
nlohmann::ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                               const Model& model, double wall_seconds);

/// Channels that a result lists.
inline constexpr std::size_t kMostLinks = 1024;

/// A run for reading on a terminal: the configuration in one line, then latencies and loads (or
/// what the workload tells instead), hops, the most loaded links, what the network counted of its
/// own, and the speed of the simulation.
std::string summary(const Measurement& measurement, const Configuration& configuration,
                    const Model& model, double wall_seconds);

/// All figures that results may have, each once, in their order.
std::vector<FigureMeaning> figure_reference();

}  // namespace flitcast
