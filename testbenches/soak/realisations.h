// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/model.h"

namespace flitcast {

/// One of the ways to run the same experiment, none of which may change its result.
struct Realisation {
  const char* name;
  /// Whether a model can be run in this way.
  std::function<bool(const Model&)> fits;
  std::function<void(Model&)> apply;
  /// Figures that it does not tell, or counts at another moment, as JSON pointers. A module with
  /// pins counts a flit when its output shows it, a native core when it grants it.
  std::vector<const char*> untold{};
};

/// The plain run first, then: two threads, no sleep, routers in random order, and, where a module
/// with pins is wide enough, every router behind pins. Where the environment has
/// FLITCAST_SOAK_BREAK there is one with longer links, too, so that the soak can be tested.
const std::vector<Realisation>& realisations();

}  // namespace flitcast
