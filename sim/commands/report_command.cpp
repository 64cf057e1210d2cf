// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "config/wording.h"
#include "sim/commands/commands.h"
#include "sim/report/report_page.h"
#include "sim/report/report_runs.h"

namespace flitcast {
namespace {

/// In the folder, or beside the result: NAME.html.
std::string page_for(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) return (fs::path(path) / "report.html").string();
  return fs::path(path).replace_extension(".html").string();
}

}  // namespace

int report_command(const std::string& path, const std::string& out, bool quiet) {
  const ReportRuns runs = read_runs(path);
  const std::string file = out.empty() ? page_for(path) : out;
  require_writable({{"--out", file}}, std::filesystem::is_directory(path)
                                          ? std::vector<std::string>{}
                                          : std::vector<std::string>{path});
  write_files({{file, report_page(report_data(runs))}});
  if (!quiet) {
    std::cout << fmt::format("{}: {} of {} points\n", visible(file), runs.results.size(),
                             runs.points);
  }
  return runs.results.size() == runs.points ? kDone : kPointsMissing;
}

}  // namespace flitcast
