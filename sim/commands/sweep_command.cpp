// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/host/process.h"
#include "sim/host/progress.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {
namespace {

using Clock = std::chrono::steady_clock;

// Refuses output options that only apply to a single result.
void refuse_single_outputs(const RunOptions& options) {
  ProblemList problems;
  for (const auto& [option, file] :
       {std::pair("--json", options.json), std::pair("--packet-log", options.packet_log)}) {
    if (file.empty()) continue;
    problems.add({{},
                  option,
                  "a sweep has many results",
                  "name a folder for them with --out, or choose a point with --point"});
  }
  problems.throw_if_any();
  if (options.fst) require_packer();
}

/// The points of a list "0-3,7"; `count` is the number of points.
std::vector<std::size_t> listed_points(const std::string& list, std::size_t count) {
  std::vector<std::size_t> points;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const auto first = number_in<std::size_t>(part.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : number_in<std::size_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= count) {
      fail_option("--points", quoted(list) + " is no list of points of this sweep",
                  "write 0-3,7, and see `flitcast points`");
    }
    for (std::size_t point = *first; point <= *last; ++point) points.push_back(point);
  }
  return points;
}

/// "2:05:10", "3:07".
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// "ok" for a run; for a search, its finding.
std::string outcome_of(const ordered_json& result) {
  auto status = result.at("status").get<std::string>();
  if (!result.contains("trials")) return status;
  return status + (result.contains("reason") ? ": " : ": saturated at ") + search_outcome(result);
}

/// Runs points one after the other, each in a separate process.
class PointsRun {
 public:
  PointsRun(const RunOptions& options, const Sweep& sweep, const PointStore& store)
      : options_(options), sweep_(sweep), store_(store), progress_(options.quiet) {}

  /// Returns the exit code.
  int run(const std::vector<DescribedPoint>& points) {
    const std::filesystem::path place(store_.result_file(""));
    for (const auto& folder : {place.parent_path(), place.parent_path().parent_path()}) {
      remove_abandoned(folder);
    }
    const StopSignal stop;
    planned_ = points.size();
    for (const DescribedPoint& point : points) {
      note_lost_result(point);
      const ChildEnd end =
          run_point(options_, sweep_, point.point, store_, models_, [this] { show_progress(); });
      if (StopSignal::received() != 0) {
        progress_.clear();
        std::cerr << "stopped; the same command goes on with the points that are left\n";
        return kStoppedBySignal + StopSignal::received();
      }
      keep(point, end);
      ++done_;
    }
    return failed_ > 0 ? kPointsMissing : kDone;
  }

 private:
  void keep(const DescribedPoint& point, const ChildEnd& end) {
    const StoredPoint stored = store_.find(point.id);
    if (!stored.done()) return keep_failure(point, end);
    store_.forget_failure(point.id);
    models_.note(stored.result);
    tell(point, outcome_of(stored.result));
  }

  void keep_failure(const DescribedPoint& point, const ChildEnd& end) {
    ++failed_;
    const std::string reason = failure_of(end);
    ordered_json failure{{"point", point.point},
                         {"id", point.id},
                         {"values", point.values},
                         {"version", FLITCAST_VERSION},
                         {"reason", reason}};
    failure[end.signal != 0 ? "signal" : "exit_code"] =
        end.signal != 0 ? end.signal : end.exit_code;
    failure["log"] = last_lines(end.output);
    store_.write_failure(point.id, failure);
    tell(point, "failed: " + reason);
  }

  void note_lost_result(const DescribedPoint& point) {
    const StoredPoint stored = store_.find(point.id);
    using State = StoredPoint::State;
    if (stored.state != State::kDamaged && stored.state != State::kStale) return;
    progress_.clear();
    std::cerr << fmt::format("note: point {} runs again: {}\n", point.point, stored.reason);
  }

  void tell(const DescribedPoint& point, const std::string& how) {
    if (options_.quiet) return;
    progress_.clear();
    std::cout << fmt::format("{:>5}  {}  {}\n", point.point, visible(point.values.dump()), how)
              << std::flush;
  }

  void show_progress() {
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    const double left = elapsed.count() / static_cast<double>(std::max<std::size_t>(done_, 1)) *
                        static_cast<double>(planned_ - done_);
    progress_.show("sweep", done_, planned_, "points",
                   done_ == 0 ? "" : fmt::format(", {} left", duration_text(left)));
  }

  const RunOptions& options_;
  const Sweep& sweep_;
  const PointStore& store_;
  SharedModels models_;
  const Clock::time_point start_ = Clock::now();
  std::size_t planned_ = 0;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  Progress progress_;
};

/// Runs the listed points, even if they failed before.
int run_listed(const RunOptions& options, const Sweep& sweep) {
  refuse_single_outputs(options);
  const std::vector<std::size_t> listed = listed_points(options.points, sweep.size());
  const SweepFolder folder{folder_of(options, sweep)};
  const ordered_json description = folder.description_with(sweep, listed);
  const std::vector<DescribedPoint> all = points_of(description);
  const PointStore store = folder.store(description);
  const auto points = mapped(listed, [&](std::size_t point) { return all.at(point); });
  return run_points(options, sweep, store, points_to_run(points, store, true));
}

struct PointsOptions : RunOptions {
  bool json_table = false;
  bool folder_only = false;  ///< Print only the name of the folder.
};

int list_points(const PointsOptions& options) {
  const Sweep sweep = sweep_of(options);
  check_points(sweep, options.quiet, require_sound_search);
  if (options.folder_only) {
    if (!sweep.explores()) {
      fail({options.file}, "there is no sweep, repeat or search",
           "flitcast run takes a single run");
    }
    std::cout << folder_of(options, sweep) << '\n';
    return kDone;
  }
  std::vector<DescribedPoint> points;
  if (options.out.empty()) {
    points = points_of(describe(sweep));
  } else {
    const SweepFolder folder{options.out};
    const ordered_json description = folder.describe(sweep);
    points =
        points_to_run(points_of(description), folder.store(description), !options.rerun.empty());
  }
  ordered_json table = ordered_json::array();
  for (const DescribedPoint& point : points) {
    table.push_back({{"point", point.point}, {"id", point.id}, {"values", point.values}});
  }
  return print(options.json_table, table, [&] {
    for (const ordered_json& row : table) {
      std::cout << fmt::format("{:>5}  {}  {}\n", cell(row, "point"), cell(row, "id"),
                               cell(row, "values"));
    }
  });
}

void add_points_options(CLI::App& app, PointsOptions& options) {
  add_experiment(app, options);
  add_file(app, "--out", options.out,
           "Make this the folder of the sweep, and list only points that are still to be run")
      ->option_text("DIR");
  add_rerun(app, options);
  app.add_flag("--folder", options.folder_only, "Print only the folder of the sweep");
  app.add_flag("--json", options.json_table, "As JSON");
}

}  // namespace

Command points_command() {
  return {"points", "List the points of a sweep",
          declare<PointsOptions, add_points_options, list_points>};
}

std::string folder_of(const RunOptions& options, const Sweep& sweep) {
  return options.out.empty() ? "out/" + sweep.point(0).name() : options.out;
}

int run_points(const RunOptions& options, const Sweep& sweep, const PointStore& store,
               const std::vector<DescribedPoint>& points) {
  return PointsRun(options, sweep, store).run(points);
}

Sweep sweep_of(const ExperimentOptions& options) {
  return {options.file, options.overrides, experiment_schema()};
}

void check_points(const Sweep& sweep, bool quiet,
                  const std::function<void(const Configuration&)>& require_sound) {
  Progress progress(quiet);
  sweep.check([&](std::size_t point, const Configuration& configuration) {
    progress.show("check", point, sweep.size(), "points");
    require_sound(configuration);
  });
}

int run_sweep(const RunOptions& options, const Sweep& sweep) {
  if (!options.points.empty()) return run_listed(options, sweep);
  check_points(sweep, options.quiet, require_sound_search);
  // A search among others is checked when it is due, as all networks are.
  if (sweep.size() == 1) require_sound_ends(sweep, 0, sweep.point(0), options);
  refuse_single_outputs(options);
  const std::string path = folder_of(options, sweep);
  const SweepFolder folder{path};
  const std::shared_ptr<std::FILE> lock = lock_folder(folder);
  const ordered_json description = folder.describe(sweep);
  const PointStore store = folder.store(description);
  const std::vector<DescribedPoint> due =
      points_to_run(points_of(description), store, !options.rerun.empty());
  const int exit_code = run_points(options, sweep, store, due);
  return exit_code > kStoppedBySignal ? exit_code : collect({path, options.quiet});
}

}  // namespace flitcast
