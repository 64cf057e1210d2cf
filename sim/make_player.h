// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/configuration.h"
#include "sim/model.h"

namespace flitcast {

/// Gives a model with topology, parameters and routing the source that plays its collective
/// workload. Throws ConfigError where the algorithm is not defined, where the routing does not take
/// the paths of the schedule, and for more chunks than can be kept account of.
void make_player(Model& model, const Configuration& configuration);

}  // namespace flitcast
