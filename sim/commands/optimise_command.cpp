// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"
#include "sim/sweep/merged_table.h"
#include "sim/sweep/optimise.h"
#include "sim/sweep/search.h"

namespace flitcast {
namespace {

struct OptimiseOptions : RunOptions {
  bool due_only = false;  ///< Print the points to run next and run none.
};

/// The search of a file's sweep, with the results in the sweep's folder.
class FolderSearch {
 public:
  FolderSearch(const OptimiseOptions& options, const Sweep& sweep)
      : options_(options),
        sweep_(sweep),
        goals_(goals_of(sweep.point(0))),
        folder_{folder_of(options, sweep)},
        description_(folder_.describe(sweep)),
        store_(folder_.store(description_)),
        points_(points_of(description_)),
        search_(goals_, sweep.shape(), [this](std::size_t point) {
          return is_hopeless(goals_, sweep_.point(point), options_.unsafe);
        }) {}

  /// Takes the results that are stored, batch by batch. Returns the points of the first batch that
  /// are still to be run; none at the end of the search.
  std::vector<DescribedPoint> due() {
    while (!batch_.empty() || !(batch_ = search_.next()).empty()) {
      const auto listed = mapped(batch_, [&](std::size_t point) { return points_.at(point); });
      const bool rerun = !options_.rerun.empty() && reran_.insert(batch_.front()).second;
      std::vector<DescribedPoint> due = points_to_run(listed, store_, rerun);
      if (!due.empty()) return due;
      for (const DescribedPoint& point : listed)
        search_.take(point.point, store_.find(point.id).result);
      batch_.clear();
    }
    return {};
  }

  /// Runs points until none is due; returns the exit code of a run that was stopped, or kDone.
  int run() {
    std::shared_ptr<std::FILE> lock;
    for (std::vector<DescribedPoint> points; !(points = due()).empty();) {
      if (!lock) lock = lock_folder(folder_);
      const int exit_code = run_points(options_, sweep_, store_, points);
      if (exit_code > kStoppedBySignal) return exit_code;
    }
    return kDone;
  }

  /// Writes the tables of all results and of the Pareto set, and prints the set.
  int finish() const {
    const CollectedPoints collected = collect_points(folder_, description_);
    const MergedTable front = front_table();
    write_files(
        {{folder_.file("results.csv"), results_table(sweep_.keys(), collected.results).csv()},
         {folder_.file("pareto.csv"), front.csv()},
         {folder_.file("pareto.json"), description_of(front).dump(2) + "\n"}});
    if (!options_.quiet) print_front(front);
    const auto& results = search_.results();
    const bool failed = any_of(results, [](const auto& result) { return result.second.is_null(); });
    if (failed) {
      std::cerr << "points have failed; --rerun failed runs them again\n";
      return kPointsMissing;
    }
    return front.rows.empty() ? kNotConverged : kDone;
  }

 private:
  /// The keys, the point, the figures of the goals, and the status.
  MergedTable front_table() const {
    MergedTable table{sweep_.keys(), {}};
    table.columns.emplace_back("point");
    for (const std::string& figure : goals_.figures()) table.columns.push_back(figure);
    table.columns.emplace_back("status");
    for (const std::size_t point : search_.front()) {
      const ordered_json& kept = search_.results().at(point);
      std::vector<ordered_json> row;
      for (const ordered_json& value : points_.at(point).values) row.push_back(value);
      row.emplace_back(point);
      for (const std::string& figure : goals_.figures()) row.push_back(kept.at(figure));
      row.push_back(kept.at("status"));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  /// The goals and the set, as a report shows them.
  ordered_json description_of(const MergedTable& front) const {
    const Configuration first = sweep_.point(0);
    const Section& goals = first.section("optimise");
    ordered_json description{{"objectives", goals.texts("objectives")},
                             {"constraints", goals.texts("constraints")},
                             {"unsaturated", goals_.unsaturated},
                             {"columns", front.columns},
                             {"rows", front.rows}};
    add_digest(description);
    return description;
  }

  void print_front(const MergedTable& front) const {
    std::cout << fmt::format("{} of {} points ran, {} cannot reach the goals by their capacity\n",
                             search_.results().size(), search_.size(), search_.sieved());
    if (front.rows.empty())
      std::cout << "no point has numbers for all objectives and satisfies all constraints\n";
    for (const auto& row : front.rows) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c) {
        line += fmt::format("{}{} {}", c == 0 ? "  " : ", ", front.columns[c],
                            row[c].is_string() ? row[c].get<std::string>() : row[c].dump());
      }
      std::cout << visible(line) << '\n';
    }
    std::cout << visible(folder_.file("pareto.csv")) << '\n';
  }

  const OptimiseOptions& options_;
  const Sweep& sweep_;
  const Goals goals_;
  const SweepFolder folder_;
  const ordered_json description_;
  const PointStore store_;
  const std::vector<DescribedPoint> points_;
  ParetoSearch search_;
  std::vector<std::size_t> batch_;  // Chosen points whose results the search has not taken yet.
  std::set<std::size_t> reran_;     // First points of the batches whose failures have run again.
};

/// Throws ConfigError with all problems of the points and of the goals.
void require_goals(const Sweep& sweep, bool quiet) {
  ProblemList problems;
  if (!sweep.swept()) {
    problems.add({{sweep.file()}, "sweep", "there is none", "add keys and values: sweep: {...}"});
  }
  if (sweep.repetitions() > 1) {
    problems.add({{sweep.file()}, "repeat", "gives a point several runs", "leave it out"});
  }
  problems.attempt([&] {
    check_points(sweep, quiet, [](const Configuration& point) {
      require_sound_search(point);
      if (!has_goals(point)) goals_of(point);
    });
  });
  problems.throw_if_any();
}

int optimise(const OptimiseOptions& options) {
  const Sweep sweep = sweep_of(options);
  require_goals(sweep, options.quiet);
  FolderSearch search(options, sweep);
  if (options.due_only) {
    for (const DescribedPoint& point : search.due()) std::cout << point.point << '\n';
    return kDone;
  }
  const int exit_code = search.run();
  return exit_code != kDone ? exit_code : search.finish();
}

void add_optimise_options(CLI::App& app, OptimiseOptions& options) {
  add_experiment(app, options);
  add_file(app, "--out", options.out, "Folder of the sweep (default: out/NAME)")
      ->option_text("DIR");
  add_rerun(app, options);
  add_memory_limit(app, options.memory_limit);
  app.add_flag("--due", options.due_only, "Print the points that are to be run next, and run none");
  app.add_flag("--unsafe", options.unsafe, "Run even if the network can deadlock");
  app.add_flag("--quiet", options.quiet, "Print no progress and no summary");
  app.footer("Exit codes: 3 if no point satisfies the constraints, 5 if points have failed.");
}

}  // namespace

Command optimise_command() {
  return {"optimise", "Search the points of a sweep for the best by several figures",
          declare<OptimiseOptions, add_optimise_options, optimise>};
}

}  // namespace flitcast
