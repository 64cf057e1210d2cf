// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/report/report.h"
#include "sim/sweep/merged_table.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {

int collect(const CollectOptions& options) {
  const SweepFolder folder{options.folder};
  const ordered_json description = folder.description();
  const CollectedPoints collected = collect_points(folder, description);
  const auto keys = description.at("keys").get<std::vector<std::string>>();
  const auto repeat = description.at("repeat").get<std::size_t>();
  std::vector<WholeFile> tables{
      {folder.file("results.csv"), results_table(keys, collected.results).csv()}};
  if (repeat > 1) {
    tables.push_back(
        {folder.file("means.csv"), means_table(keys, repeat, collected.results).csv()});
  }
  write_files(tables);
  // Removes the means of an earlier list of points.
  if (tables.size() == 1) std::filesystem::remove(folder.file("means.csv"));
  tell_missing(collected);
  for (const WholeFile& table : tables) {
    if (options.quiet) break;
    std::cout << fmt::format("{}: {} of {} points\n", visible(table.path), collected.results.size(),
                             collected.points);
  }
  return collected.complete() ? kDone : kPointsMissing;
}

namespace {

void add_collect_options(CLI::App& app, CollectOptions& options) {
  app.add_option("DIR", options.folder, "Folder of the sweep")
      ->required()
      ->check(fault_of_file_name);
  app.add_flag("--quiet", options.quiet, "Do not print the names of the tables");
}

/// The path of the report page: in the folder, or beside the result as NAME.html; for several paths
/// in the current folder.
std::string page_for(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  if (paths.size() > 1) return "report.html";
  const std::string& path = paths.front();
  if (fs::is_directory(path)) return (fs::path(path) / "report.html").string();
  return fs::path(path).replace_extension(".html").string();
}

struct ReportOptions {
  std::vector<std::string> paths;  ///< Folders and files (report/report.h).
  std::string out;                 ///< File for the page; empty: page_for(paths).
  bool quiet = false;
};

int write_report(const ReportOptions& options) {
  const ReportRuns runs = read_runs(options.paths);
  const std::string file = options.out.empty() ? page_for(options.paths) : options.out;
  const std::vector<std::string> kept = filtered(
      options.paths, [](const std::string& path) { return !std::filesystem::is_directory(path); });
  require_writable({{"--out", file}}, kept);
  write_files({{file, report_page(report_data(runs))}});
  if (!options.quiet) {
    std::cout << fmt::format("{}: {} of {} points\n", visible(file), runs.results.size(),
                             runs.points);
  }
  return runs.results.size() == runs.points ? kDone : kPointsMissing;
}

void add_report_options(CLI::App& app, ReportOptions& options) {
  app.add_option("PATH", options.paths, "Folders of sweeps or of results, and results")
      ->required()
      ->check(fault_of_file_name);
  add_file(
      app, "--out", options.out,
      "File for the page (default: report.html in the folder, or here if there are several paths; "
      "NAME.html beside a result)");
  app.add_flag("--quiet", options.quiet, "Do not print the name of the page");
}

}  // namespace

std::vector<Command> collect_commands() {
  return {{"collect", "Merge the results in the folder of a sweep into CSV tables",
           declare<CollectOptions, add_collect_options, collect>},
          {"report", "Write one HTML page of results: curves, channels, latencies, tables",
           declare<ReportOptions, add_report_options, write_report>}};
}

}  // namespace flitcast
