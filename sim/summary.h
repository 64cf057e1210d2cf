// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/configuration.h"
#include "sim/measurement.h"
#include "sim/model.h"

namespace flitcast {

/// A run for reading on a terminal: the configuration in one line, then latencies and loads (or
/// what the workload tells instead), hops, the most loaded links, what the network counted of its
/// own, and the speed of the simulation.
std::string summary(const Measurement& measurement, const Configuration& configuration,
                    const Model& model, double wall_seconds);

}  // namespace flitcast
