// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "direct.h"
#include "experiment.h"

namespace flitcast::program {

/// A changed key of an experiment, and the equivalent change of the network.
struct KeyRow {
  std::string key;  ///< Full dotted name.
  /// Assignments as after --set; the last one changes the key: "seed=7".
  std::vector<std::string> given;
  std::function<void(Parts& parts)> change;
};

/// An experiment, the same network built part by part, and keys that change it.
struct KeyGroup {
  Experiment experiment;
  Parts parts;
  std::vector<KeyRow> rows;
};

std::vector<KeyGroup> key_groups();

}  // namespace flitcast::program
