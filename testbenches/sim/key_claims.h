// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "observed.h"

namespace flitcast::program {

/// A key that no parameter of a network stands for, and what its value shows itself in.
struct KeyClaim {
  std::string key;        ///< Full dotted name.
  Experiment experiment;  ///< FOLDER stands for where its files are.
  /// Assignments as after --set; the last one changes the key: "measure.window=70".
  std::vector<std::string> given;
  std::function<void(const Observed& before, const Observed& after)> check;
};

std::vector<KeyClaim> key_claims();

/// Writes the files that the experiments read.
void write_files(const Folder& folder);

}  // namespace flitcast::program
