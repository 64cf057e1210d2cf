// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "sim/host/output_file.h"
#include "sim/host/process.h"
#include "sim/host/run_options.h"
#include "sim/sweep/point_store.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// Called ten times a second during runs.
using Meanwhile = std::function<void()>;

/// Runs a point of the sweep, or its search, in a separate process and stores the result, including
/// those of the runs of a search. Only the options for a single run apply.
ChildEnd run_point(const RunOptions& options, const Sweep& sweep, std::size_t point,
                   const PointStore& store, const Meanwhile& meanwhile);

/// Carries out the search of the point with stored runs, adds missing runs to the store, and writes
/// the result. Returns the exit code, which is that of the failed run, if there is one.
int run_search(const RunOptions& options, const Sweep& sweep, std::size_t point,
               const PointStore& store, const std::vector<Output>& outputs);

/// Carries out the search of a single point without storing its runs.
int search_command(const RunOptions& options, const Sweep& sweep,
                   const std::vector<Output>& outputs);

}  // namespace flitcast
