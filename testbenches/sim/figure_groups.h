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

/// A figure of a result, and its value computed in another way: from the packets' lives, from what
/// the sources want to send, from the topology, by hand.
struct FigureRow {
  std::string figure;  ///< Full dotted name.
  std::function<Json(const Observed& seen)> other_way;
};

/// An experiment with figures that can be told without it.
struct FigureGroup {
  Experiment experiment;  ///< FOLDER stands for where its files are.
  std::vector<FigureRow> rows;
};

std::vector<FigureGroup> figure_groups();

/// Writes the traces that the experiments replay.
void write_traces(const Folder& folder);

}  // namespace flitcast::program
