// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/experiment/model.h"
#include "stats/mean_interval.h"

namespace flitcast {

/// The cycles in which the longest packet crosses the slowest channel.
std::uint64_t longest_service(const Model& model);

/// The scale of the traffic of a run, from the offered load and the loads of channels as far as
/// they are known, else from the packets of the window.
/// @param packets  The traffic of the window.
TrafficScale traffic_scale(const Model& model, const Totals& packets);

}  // namespace flitcast
