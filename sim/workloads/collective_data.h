// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/figures.h"
#include "config/param.h"
#include "config/section.h"

namespace flitcast {

// The functions below are for real data in the contributions of an operation that combines them.

/// The keys workload.data.*.
std::vector<Param> collective_data_params();

/// True if the contributions are data; by default they are checksums.
bool has_collective_data(const Section& workload);

/// The meanings of the figures collective.data.*.
std::vector<FigureMeaning> data_figure_meanings();

}  // namespace flitcast
