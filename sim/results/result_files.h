// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"
#include "sim/host/output_file.h"
#include "sim/host/run_options.h"

namespace flitcast {

// The options of logs.
inline constexpr const char* kPacketLog = "--packet-log";
inline constexpr const char* kFlitLog = "--flit-log";
inline constexpr const char* kTimeline = "--timeline";
/// The key of the output that is a waveform.
inline constexpr const char* kTrace = "trace.signals";

/// True if a run of it writes a waveform.
bool has_waveform(const Configuration& configuration);

/// The ending of its name: "vcd" or "fst".
std::string waveform_type(const RunOptions& options);

/// All files that a run is to write: the result where --json says and, by --out or without both, in
/// a folder under the name of the experiment, the log of packets, and in the folder the waveform.
/// Throws, as require_writable() does, unless all of them can be written.
std::vector<Output> outputs_of(const RunOptions& options, const Configuration& configuration);

/// The outputs without the waveform.
std::vector<Output> without_waveform(std::vector<Output> outputs);

/// A line of the summary that names the files, or nothing where there are none.
std::string files_line(const std::vector<Output>& outputs);

/// Notes on standard error which results of other configurations stay, and which are replaced.
void note_other_results(const RunOptions& options, const Configuration& configuration,
                        const std::vector<Output>& outputs);

/// Runs one experiment, writes its outputs, which have been tried, and prints its summary. Returns
/// the exit code; throws ConfigError for bad input and InvariantError for internal errors.
int run_experiment(const RunOptions& options, const Configuration& configuration,
                   const std::vector<Output>& outputs);

}  // namespace flitcast
