// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/figures.h"
#include "config/param.h"
#include "config/section.h"

namespace flitcast {

// Real data: what the contributions of an operation that adds up consist of.

/// The keys workload.data.*.
std::vector<Param> collective_data_params();

/// Whether the contributions are data; otherwise, and by default, they are checksums.
bool has_collective_data(const Section& workload);

/// The meanings of the figures collective.data.*.
std::vector<FigureMeaning> data_figure_meanings();

}  // namespace flitcast
