// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/sweep/merged_table.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

/// The tables that a description requires, by file name.
std::vector<WholeFile> tables_of(const SweepFolder& folder, const ordered_json& description,
                                 const std::vector<PointResult>& results) {
  const auto keys = description.at("keys").get<std::vector<std::string>>();
  const auto repeat = description.at("repeat").get<std::size_t>();
  std::vector<WholeFile> tables{{folder.file("results.csv"), results_table(keys, results).csv()}};
  if (repeat > 1) {
    tables.push_back({folder.file("means.csv"), means_table(keys, repeat, results).csv()});
  }
  return tables;
}

struct CollectOptions {
  std::string folder;
  bool quiet = false;
};

Action declare_collect(CLI::App& app) {
  const auto options = std::make_shared<CollectOptions>();
  app.add_option("DIR", options->folder, "Folder of the sweep")
      ->required()
      ->check(fault_of_file_name);
  app.add_flag("--quiet", options->quiet, "Do not print the names of the tables");
  return [options] { return collect(options->folder, options->quiet); };
}

}  // namespace

Command collect_command() {
  return {"collect", "Merge the results in the folder of a sweep into CSV tables", declare_collect};
}

int collect(const std::string& path, bool quiet) {
  const SweepFolder folder(path);
  const ordered_json description = folder.description();
  const CollectedPoints collected = collect_points(folder, description);
  const std::vector<WholeFile> tables = tables_of(folder, description, collected.results);
  write_files(tables);
  // Removes the means of an earlier list of points.
  if (tables.size() == 1) std::filesystem::remove(folder.file("means.csv"));
  tell_missing(collected);
  for (const WholeFile& table : tables) {
    if (quiet) break;
    std::cout << fmt::format("{}: {} of {} points\n", visible(table.path), collected.results.size(),
                             collected.points);
  }
  return collected.complete() ? kDone : kPointsMissing;
}

}  // namespace flitcast
