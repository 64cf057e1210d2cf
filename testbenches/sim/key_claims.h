// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "observed.h"

namespace flitcast::program {

/// A key that is not a parameter of a network, and an observable effect of its value.
struct KeyClaim {
  std::string key;        ///< Full dotted name.
  Experiment experiment;  ///< FOLDER stands for the folder of its files.
  /// Assignments as after --set; the last one changes the key: "measure.window=70".
  std::vector<std::string> given;
  std::function<void(const Observed& before, const Observed& after)> check;
};

std::vector<KeyClaim> key_claims();

/// Writes the files that the experiments read.
void write_files(const Folder& folder);

}  // namespace flitcast::program
