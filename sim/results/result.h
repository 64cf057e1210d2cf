// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/configuration.h"
#include "sim/host/output_file.h"
#include "sim/host/run_options.h"
#include "sim/measure/measurement.h"

namespace flitcast {

/// The result of a run as JSON, the same bytes for equal configuration, seed and version, apart
/// from `wall_seconds` and `host`. Rates are flits per node and cycle, latencies cycles. Keys that
/// do not apply are absent. Every figure is explained by figure_reference().
ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                     const Model& model, double wall_seconds);

/// The text of a run for a terminal: the configuration in one line, latencies and loads or the
/// lines of the workload, hops, the most loaded links, the counters of the network, and the speed
/// of the simulation.
/// @param result  The result by to_json().
std::string summary(const ordered_json& result, const Measurement& measurement,
                    const Configuration& configuration, const Model& model);

/// Fills figures of a result into a pattern such as "mean {latency_cycles.mean:.2f}[ +- {...}]", in
/// the formats of {fmt}. A part in brackets is left out if one of its figures is absent; if a
/// figure outside brackets is, the text is.
std::optional<std::string> text_of_figures(const std::string& pattern, const ordered_json& result);

/// All figures that results may have, those of searches too, each once, in their order.
std::vector<FigureMeaning> figure_reference();

/// The first figures of every result: name, version, seed, id, configuration.
extern const FigureTable<Configuration> kIdentityFigures;

/// Members of results that differ between equal runs: host, time and digest.
const std::set<std::string>& passing_members();

/// Adds a digest to a result: the hash of all members except the passing ones. Equal results have
/// equal digests, and a damaged result no longer matches its digest.
void add_digest(ordered_json& result);
bool bears_its_digest(const ordered_json& result);

/// The meaning of the digest.
FigureMeaning digest_meaning();

/// The JSON of a file; absent if there is no such file, discarded if it is damaged, longer than 64
/// MiB, or a folder.
std::optional<ordered_json> read_json(const std::string& path);

/// One run of a search.
struct TrialResult {
  double value = 0;
  std::optional<bool> over;  ///< The value is above the sought one; absent: unknown by this run.
  ordered_json result;
};

/// The outcome of a search.
struct Finding {
  std::vector<TrialResult> trials;  ///< In the order in which they ran.
  double value = 0;                 ///< The value sought: the middle of `below` and `above`.
  double below = 0;                 ///< The largest value that is not over.
  double above = 0;                 ///< The smallest value that is over.
  std::string reason;               ///< The reason why no value was found; empty if one was.
  std::vector<std::string> notes;
  /// Long runs with other seeds: the runs that held at `below`, and those that collapsed at larger
  /// values.
  struct Confirmation {
    std::size_t runs = 0;
    std::size_t collapses = 0;
    std::uint64_t window = 0;
  };
  std::optional<Confirmation> confirmation;  ///< Absent if `below` is not confirmed.
  /// The least that the network accepts in a saturated run, since its collapse if that is known, as
  /// a share of what it accepts at `below`.
  std::optional<double> throughput_beyond;

  bool found() const { return reason.empty(); }
};

extern const FigureTable<Finding> kFindingFigures;

/// The figures of results of searches, without those that every result has.
std::vector<FigureMeaning> search_figures();

/// "0.596, between 0.594 and 0.598, in 9 runs; held for 3 x 100000 cycles: ...", or the reason why
/// the search found nothing.
/// @param result  The result of a search.
std::string search_outcome(const ordered_json& result);

/// The text as a cell of a CSV table, in quotes where RFC 4180 needs them. A text that a
/// spreadsheet would take for a formula begins with an apostrophe. Source: OWASP, CSV Injection.
std::string csv_cell(std::string text);

// The options of logs.
inline constexpr const char* kPacketLog = "--packet-log";
inline constexpr const char* kFlitLog = "--flit-log";
inline constexpr const char* kTimeline = "--timeline";
/// The key of the output that is a waveform.
inline constexpr const char* kTrace = "trace.signals";

/// True if a run of the configuration writes a waveform.
bool has_waveform(const Configuration& configuration);

/// The ending of the name of a waveform file: "vcd" or "fst".
std::string waveform_type(const RunOptions& options);

/// All files that a run is to write: the result where --json says and, by --out or without both, in
/// a folder under the name of the experiment, the log of packets, and in the folder the waveform.
/// Throws, as require_writable() does, unless all of them can be written.
std::vector<Output> outputs_of(const RunOptions& options, const Configuration& configuration);

/// A line of the summary that names the files, or nothing where there are none.
std::string files_line(const std::vector<std::string>& files);

/// Puts the files of a run in their place, and returns their names. Those in the folder of results
/// share one name, which is chosen now: NAME, or NAME-ID if files of another configuration have it;
/// then a note on standard error says so.
std::vector<std::string> put_in_place(const RunOptions& options, const Configuration& configuration,
                                      std::list<OutputFile>& files);

/// Notes on standard error that the file of --json is the result of another configuration.
void note_replaced_result(const RunOptions& options, const Configuration& configuration);

/// Runs one experiment, writes its outputs, which have been tried, and prints its summary. Returns
/// the exit code; throws ConfigError for bad input and InvariantError for internal errors.
/// @param flows  The same experiment at the flow level, which is run, too; null: none.
/// @param like   A model whose parts the model takes, see make_model(), and whose routing has been
///               checked for deadlock; null: none.
int run_experiment(const RunOptions& options, const Configuration& configuration,
                   const std::vector<Output>& outputs, const Configuration* flows = nullptr,
                   Model* like = nullptr);

}  // namespace flitcast
