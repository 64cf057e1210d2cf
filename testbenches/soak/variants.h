// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/experiment/model.h"

namespace flitcast {

/// A variant of a run, which may not change the result of the experiment.
struct RunVariant {
  const char* name;
  /// True if a model can be run as this variant.
  std::function<bool(const Model&)> fits;
  std::function<void(Model&)> apply;
  /// Figures that it does not have, or counts at another moment, as JSON pointers. A module with
  /// pins counts a flit when its output shows it, a fast core when it grants it.
  std::vector<const char*> untold{};
  /// Most routers times cycles that it is fast enough for.
  double most_router_cycles = std::numeric_limits<double>::infinity();
};

/// The plain run first, then: two threads, no sleep, routers in random order, and, where modules
/// with pins are wide enough, every router behind pins, and the whole network of them. Where the
/// environment has FLITCAST_SOAK_BREAK there is one with longer links, too, so that the soak can be
/// tested.
const std::vector<RunVariant>& run_variants();

}  // namespace flitcast
