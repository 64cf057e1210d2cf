// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/experiment/model.h"

namespace flitcast {

/// Way to run an experiment that must not change its result.
struct RunVariant {
  const char* name;
  /// True if a model can be run as this variant.
  std::function<bool(const Model&)> fits;
  std::function<void(Model&)> apply;
  /// JSON pointers of the figures that this variant lacks or counts at another time. A module with
  /// pins counts a flit when its output shows it, a fast core when it grants it.
  std::vector<const char*> untold{};
  /// Maximum of routers times cycles for which it is fast enough.
  double most_router_cycles = std::numeric_limits<double>::infinity();
};

/// Returns the plain run first, then: two threads, no sleep, routers in random order, and, where
/// modules with pins are wide enough, every router behind pins, and the whole network of pin-level
/// modules. With FLITCAST_SOAK_BREAK in the environment, a variant with longer links is added,
/// which tests the soak itself.
const std::vector<RunVariant>& run_variants();

}  // namespace flitcast
