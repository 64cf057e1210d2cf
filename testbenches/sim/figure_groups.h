// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "experiment.h"
#include "folder.h"
#include "observed.h"

namespace flitcast::program {

using Json = nlohmann::ordered_json;

/// A figure of a result, and an independent way to compute its value: from the packet log, from the
/// packets that the sources create, from the topology, or by hand.
struct FigureRow {
  std::string figure;  ///< Full dotted name.
  std::function<Json(const Observed& seen)> other_way;
};

/// An experiment with figures whose values can be computed independently.
struct FigureGroup {
  Experiment experiment;  ///< FOLDER stands for the folder of its files.
  std::vector<FigureRow> rows;
};

std::vector<FigureGroup> figure_groups();

/// Writes the traces that the experiments replay.
void write_traces(const Folder& folder);

}  // namespace flitcast::program
