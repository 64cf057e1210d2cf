// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/figures.h"
#include "collective/demand.h"
#include "config/param.h"
#include "config/section.h"
#include "traffic/vector_player.h"

namespace flitcast {

/// The keys workload.data.*: what the contributions of an operation that adds up are made of.
std::vector<Param> collective_data_params();

/// What they say.
struct CollectiveData {
  VectorData vectors;
  double combine_cycles = 0;  ///< Of an element.
};

/// Absent where contributions are checksums, as they are where nothing is said.
std::optional<CollectiveData> collective_data(const Section& workload, std::uint64_t seed);

/// Adds the figures collective.data.* of a finished operation to those of `collective`.
void add_data_figures(const VectorPlayer& player, nlohmann::ordered_json& collective);
std::vector<FigureMeaning> data_figure_meanings();

}  // namespace flitcast
