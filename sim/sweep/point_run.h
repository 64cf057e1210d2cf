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

/// Called ten times a second while runs go on.
using Meanwhile = std::function<void()>;

/// Runs a point of the sweep, or its search, in a process of its own; the result goes into the
/// store, as do those of the runs of a search. Of the options those for one run count.
ChildEnd run_point(const RunOptions& options, const Sweep& sweep, std::size_t point,
                   const PointStore& store, const Meanwhile& meanwhile);

/// Searches as the point asks, takes runs from the store or adds them, and writes the result.
/// Returns the exit code, which is that of the failed run, if there is one.
int run_search(const RunOptions& options, const Sweep& sweep, std::size_t point,
               const PointStore& store, const std::vector<Output>& outputs);

/// Searches for one point alone, without keeping its runs.
int search_command(const RunOptions& options, const Sweep& sweep,
                   const std::vector<Output>& outputs);

}  // namespace flitcast
