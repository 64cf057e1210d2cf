// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "config/wording.h"
#include "sim/commands/commands.h"
#include "sim/sweep/collected_points.h"
#include "sim/sweep/merged_table.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

/// The tables that a description asks for, by file name.
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

}  // namespace

int collect_command(const std::string& path, bool quiet) {
  const SweepFolder folder(path);
  const ordered_json description = folder.description();
  const CollectedPoints collected = collect_points(folder, description);
  const std::vector<WholeFile> tables = tables_of(folder, description, collected.results);
  write_files(tables);
  if (tables.size() == 1) std::filesystem::remove(folder.file("means.csv"));  // Of other points.
  tell_missing(collected);
  for (const WholeFile& table : tables) {
    if (quiet) break;
    std::cout << fmt::format("{}: {} of {} points\n", visible(table.path), collected.results.size(),
                             collected.points);
  }
  return collected.complete() ? kDone : kPointsMissing;
}

}  // namespace flitcast
