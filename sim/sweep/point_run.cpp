// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <list>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "config/wording.h"
#include "sim/host/process.h"
#include "sim/host/progress.h"
#include "sim/results/result.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {
namespace {

/// Thrown if a run of a search fails.
struct TrialFailure : std::runtime_error {
  explicit TrialFailure(const ChildEnd& of) : std::runtime_error(of.output), end(of) {}
  ChildEnd end;
};

std::vector<Output> outputs_in(const PointStore& store, const RunOptions& options,
                               const Configuration& configuration) {
  const std::filesystem::path result = store.result_file(configuration.id());
  std::vector<Output> outputs{{"--out", result}};
  if (has_waveform(configuration)) {
    outputs.push_back(
        {kTrace, std::filesystem::path(result).replace_extension(waveform_type(options)).string()});
  }
  return outputs;
}

/// The options of a run whose output is shown only if it fails.
RunOptions quiet_run(RunOptions options) {
  options.json.clear();
  options.packet_log.clear();
  options.quiet = true;
  return options;
}

ordered_json trial_result(const RunOptions& options, const Configuration& trial,
                          const PointStore& store, const Meanwhile& meanwhile) {
  const StoredPoint known = store.find(trial.id());
  if (known.done()) return known.result;
  const ChildEnd end = run_in_child(
      [&] { return run_experiment(quiet_run(options), trial, outputs_in(store, options, trial)); },
      meanwhile);
  StoredPoint made = store.find(trial.id());
  if (!made.done()) throw TrialFailure(end);
  return std::move(made.result);
}

std::string summary_of(const ordered_json& result) {
  const auto title = text_of_figures("{name}: search of {config.search.key}", result);
  return fmt::format("{}\n  {:<10} {}\n  {:<10} {}\n", *title, "status",
                     result.at("status").get<std::string>(),
                     result.contains("reason") ? "reason" : "saturated at", search_outcome(result));
}

void write_search(const RunOptions& options, const Configuration& configuration,
                  const std::vector<Output>& outputs, const ordered_json& result) {
  std::list<OutputFile> files;
  for (const Output& output : outputs) {
    if (output.option == kTrace) continue;  // Only runs have waveforms.
    files.emplace_front(output.path, output.spare).write(result.dump(2) + "\n");
  }
  const std::vector<std::string> names = put_in_place(options, configuration, files);
  const bool to_terminal = options.json == "-";
  if (to_terminal) std::cout << result.dump(2) << std::endl;
  if (!options.quiet) {
    (to_terminal ? std::cerr : std::cout) << summary_of(result) << files_line(names);
  }
}

/// A folder for the results of runs that are not kept.
std::unique_ptr<Temporary> passing_folder() {
  const std::filesystem::path place = std::filesystem::temp_directory_path();
  remove_abandoned(place);
  return std::make_unique<Temporary>(place, Temporary::Kind::kFolder, place.string());
}

/// Makes a folder inside for results: the outer one is locked for as long as it exists, and a run
/// waits for the locks of the folders that it changes.
PointStore store_in(const Temporary& folder) {
  const std::filesystem::path inside = std::filesystem::path(folder.path()) / "results";
  make_folder(inside);
  return {inside.string(), FLITCAST_VERSION};
}

}  // namespace

ChildEnd run_point(const RunOptions& options, const Sweep& sweep, std::size_t point,
                   const PointStore& store, SharedModels& models, const Meanwhile& meanwhile) {
  Model* like = nullptr;
  try {
    like = models.like(sweep.point(point), options);
  } catch (const std::exception&) {
    like = nullptr;  // The process of the point reports the error.
  }
  return run_in_child(
      [&] {
        const Configuration configuration = sweep.point(point);
        const std::vector<Output> outputs = outputs_in(store, options, configuration);
        return is_search(configuration)
                   ? run_search(quiet_run(options), sweep, point, store, outputs)
                   : run_experiment(quiet_run(options), configuration, outputs, nullptr, like);
      },
      meanwhile);
}

std::vector<std::string> last_lines(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(visible(line));
  if (lines.size() > kMost) lines.erase(lines.begin(), lines.end() - kMost);
  return lines;
}

std::string failure_of(const ChildEnd& end) {
  const std::vector<std::string> log = last_lines(end.output);
  std::string reason = end.text() + (log.empty() ? "" : ": " + log.front());
  if (reason.back() == ':' && log.size() > 1) {
    reason += ' ' + log[1].substr(std::min(log[1].find_first_not_of(' '), log[1].size()));
  }
  return reason;
}

PassingRun run_aside(const Configuration& configuration, const Meanwhile& meanwhile) {
  const StopSignal stop;
  const std::unique_ptr<Temporary> folder = passing_folder();
  const PointStore store = store_in(*folder);
  const ChildEnd end = run_in_child(
      [&] {
        return run_experiment(quiet_run({}), configuration,
                              {{"--out", store.result_file(configuration.id())}});
      },
      meanwhile);
  if (end.signal != 0) return {kStoppedBySignal + end.signal, {}, failure_of(end)};
  if (end.exit_code != kDone) return {end.exit_code, {}, failure_of(end)};
  StoredPoint run = store.find(configuration.id());
  if (!run.done()) return {kBrokenInvariant, {}, run.reason};
  return {kDone, std::move(run.result), ""};
}

int run_search(const RunOptions& options, const Sweep& sweep, std::size_t point,
               const PointStore& store, const std::vector<Output>& outputs) {
  const Configuration configuration = sweep.point(point);
  require_sound_ends(sweep, point, configuration, options);
  const StopSignal stop;
  Progress progress(options.quiet);
  std::size_t runs = 0;
  try {
    const ordered_json result = search_result(configuration, [&](const TrialPlan& plan) {
      ++runs;
      return trial_result(options, sweep.trial(point, plan), store,
                          [&] { progress.show("search", runs, 0, "runs"); });
    });
    progress.clear();
    write_search(options, configuration, outputs, result);
    return result.at("status") == "ok" ? kDone : kNotConverged;
  } catch (const TrialFailure& failure) {
    std::cerr << failure.what();
    return failure.end.signal != 0 ? kStoppedBySignal + failure.end.signal : failure.end.exit_code;
  }
}

int search_command(const RunOptions& options, const Sweep& sweep,
                   const std::vector<Output>& outputs) {
  if (!options.packet_log.empty()) {
    fail_option(kPacketLog, "a search is many runs", "choose the load of one");
  }
  const std::unique_ptr<Temporary> folder = passing_folder();
  return run_search(options, sweep, options.point.value_or(0), store_in(*folder), outputs);
}

}  // namespace flitcast
