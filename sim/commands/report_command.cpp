// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/report/report.h"

namespace flitcast {
namespace {

/// The page is in the folder, or beside the result: NAME.html.
std::string page_for(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) return (fs::path(path) / "report.html").string();
  return fs::path(path).replace_extension(".html").string();
}

struct ReportOptions {
  std::string path;  ///< A folder or a file (report/report.h).
  std::string out;   ///< File for the page; empty: page_for(path).
  bool quiet = false;
};

int write_report(const ReportOptions& options) {
  const std::string& path = options.path;
  const ReportRuns runs = read_runs(path);
  const std::string file = options.out.empty() ? page_for(path) : options.out;
  require_writable({{"--out", file}}, std::filesystem::is_directory(path)
                                          ? std::vector<std::string>{}
                                          : std::vector<std::string>{path});
  write_files({{file, report_page(report_data(runs))}});
  if (!options.quiet) {
    std::cout << fmt::format("{}: {} of {} points\n", visible(file), runs.results.size(),
                             runs.points);
  }
  return runs.results.size() == runs.points ? kDone : kPointsMissing;
}

Action declare_report(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  app.add_option("PATH", options->path, "Folder of a sweep or of results, or one result")
      ->required()
      ->check(fault_of_file_name);
  add_file(app, "--out", options->out,
           "File for the page (default: report.html in the folder, NAME.html beside a result)");
  app.add_flag("--quiet", options->quiet, "Do not print the name of the page");
  return [options] { return write_report(*options); };
}

}  // namespace

Command report_command() {
  return {"report", "Write one HTML page of results: curves, channels, latencies, tables",
          declare_report};
}

}  // namespace flitcast
