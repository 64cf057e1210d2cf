// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "config/configuration.h"
#include "sim/measurement.h"
#include "sim/model.h"

namespace flitcast {

/// The result of a run as JSON, the same bytes for equal configuration, seed and version, apart
/// from `wall_seconds` and `host`. Rates are flits per node and cycle, latencies cycles. Keys that
/// do not apply are absent. `latency_cycles.histogram` maps the largest value of each bucket (at
/// most 1/128 above the smallest) to its packets. `links` holds the most loaded channels, at most
/// kMostLinks, by falling load; a load of 1 is all that the channel can carry.
nlohmann::ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                               const Model& model, double wall_seconds);

inline constexpr std::size_t kMostLinks = 1024;

}  // namespace flitcast
