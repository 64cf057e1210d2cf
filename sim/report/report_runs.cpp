// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/report/report.h"
#include "sim/results/result.h"
#include "sim/sweep/merged_table.h"

namespace flitcast {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string what) {
  fail({visible(path)}, std::move(what),
       "name the result of a run, or a folder in which there are some");
}

/// False if the page cannot show the result, such as one whose numbers are texts.
bool can_be_shown(const ordered_json& result) {
  try {
    report_data({"", {}, {{0, ordered_json::object(), result}}, 1});
    return true;
  } catch (const ordered_json::exception&) {
    return false;
  }
}

/// The result in a file; null for a file without a result, such as a description or another
/// program's file, and for a damaged one, which a note reports.
ordered_json result_in(const fs::path& file) {
  ordered_json json = read_json(file.string()).value_or(nullptr);
  const bool is_result = json.is_object() && json.contains("version") && json.contains("name") &&
                         json.at("name").is_string() && json.contains("status") &&
                         json.contains("config") && json.at("config").is_object();
  if (!is_result) return {};
  if ((json.contains("digest") && !bears_its_digest(json)) || !can_be_shown(json)) {
    std::cerr << "note: " << visible(file.string()) << " is damaged and left out\n";
    return {};
  }
  return json;
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code looping;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file(looping) && entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Adds the full names and values of all keys of a section and of the sections in it.
void add_keys(const ordered_json& section, const std::string& prefix, ordered_json& keys) {
  for (const auto& [key, value] : section.items()) {
    if (value.is_object()) {
      add_keys(value, prefix + key + ".", keys);
    } else {
      keys[prefix + key] = value;
    }
  }
}

/// Gives every result the values of all keys in which the results differ.
void compare_configurations(ReportRuns& runs) {
  std::vector<ordered_json> all;
  ordered_json names = ordered_json::object();
  for (const PointResult& one : runs.results) {
    all.push_back(ordered_json::object());
    add_keys(one.result.at("config"), "", all.back());
    names.update(all.back());
  }
  for (const auto& [name, last] : names.items()) {
    const bool same = all_of(
        all, [&, &n = name, &l = last](const auto& c) { return c.contains(n) && c.at(n) == l; });
    if (same) continue;
    runs.keys.push_back(name);
    for (std::size_t r = 0; r < all.size(); ++r) {
      runs.results[r].values[name] = all[r].value(name, ordered_json());
    }
  }
}

ReportRuns runs_of_sweep(const SweepFolder& folder) {
  const ordered_json description = folder.description();
  CollectedPoints collected = collect_points(folder, description);
  tell_missing(collected);
  return {description.at("name").get<std::string>(),
          description.at("keys").get<std::vector<std::string>>(), std::move(collected.results),
          collected.points};
}

ReportRuns runs_in_files(const std::string& title, const std::vector<fs::path>& files) {
  ReportRuns runs{title, {}, {}, 0};
  for (const fs::path& file : files) {
    ordered_json result = result_in(file);
    if (result.is_null()) continue;
    runs.results.push_back({runs.points++, ordered_json::object(), std::move(result)});
  }
  if (runs.points == 1) runs.title = runs.results[0].result.at("name").get<std::string>();
  compare_configurations(runs);
  return runs;
}

/// Adds the goals and the set that `flitcast optimise` has written to the folder of a sweep.
void add_optimum(const SweepFolder& folder, ReportRuns& runs) {
  ordered_json optimum = read_json(folder.file("pareto.json")).value_or(nullptr);
  if (!optimum.is_object() || !bears_its_digest(optimum)) return;
  optimum["title"] = runs.title;
  runs.optima.push_back(std::move(optimum));
}

ReportRuns runs_at(const std::string& path) {
  if (!fs::is_directory(path)) return runs_in_files(path, {path});
  const SweepFolder folder{path};
  if (!fs::exists(folder.file("sweep.json"))) {
    return runs_in_files(fs::path(path).lexically_normal().filename().string(), json_files(path));
  }
  ReportRuns runs = runs_of_sweep(folder);
  add_optimum(folder, runs);
  return runs;
}

/// The kind of runs that a result belongs to, for messages.
std::string measured_by(const ordered_json& result) {
  if (result.contains("saturation")) return "searches of the saturation";
  return result.contains("completion_cycle") ? "runs to an end" : "runs of a window";
}

std::set<std::string> measured_by(const ReportRuns& runs) {
  std::set<std::string> all;
  for (const PointResult& one : runs.results) all.insert(measured_by(one.result));
  return all;
}

/// Adds a problem for each part, by its name, whose results have no kind of runs in common with
/// those of the first.
void require_common(const std::vector<std::string>& names, const std::vector<ReportRuns>& parts,
                    ProblemList& problems) {
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const std::set<std::string> first = measured_by(parts[0]), own = measured_by(parts[p]);
    const bool common = any_of(own, [&](const std::string& one) { return first.count(one) != 0; });
    if (common) continue;
    problems.add({{names[p]},
                  "",
                  fmt::format("holds {}, and {} holds {}: they have nothing in common",
                              fmt::join(own, " and "), names[0], fmt::join(first, " and ")),
                  "make a page of each"});
  }
}

/// Reduces the values of the points to the labels of whole sections; a point without a label takes
/// the kind of the section.
void keep_labels(ReportRuns& runs) {
  const auto is_value = [&](const std::string& key) {
    return !figure_at(runs.results.front().result.at("config"), key).is_object();
  };
  runs.keys.erase(std::remove_if(runs.keys.begin(), runs.keys.end(), is_value), runs.keys.end());
  for (PointResult& one : runs.results) {
    ordered_json labels = ordered_json::object();
    for (const std::string& key : runs.keys) {
      labels[key] = one.values.contains(key) ? one.values.at(key)
                                             : figure_at(one.result.at("config"), key + ".kind");
    }
    one.values = std::move(labels);
  }
}

/// The results of all parts, numbered consecutively, with all keys in which they differ.
ReportRuns joined(std::vector<ReportRuns> parts) {
  ReportRuns all;
  for (ReportRuns& part : parts) {
    all.title += (all.title.empty() ? "" : ", ") + part.title;
    for (const std::string& key : part.keys) {
      if (!contains(all.keys, key)) all.keys.push_back(key);
    }
    for (PointResult& one : part.results) {
      one.point += all.points;
      all.results.push_back(std::move(one));
    }
    all.points += part.points;
    std::move(part.optima.begin(), part.optima.end(), std::back_inserter(all.optima));
  }
  keep_labels(all);
  compare_configurations(all);
  return all;
}

}  // namespace

ReportRuns read_runs(const std::vector<std::string>& paths) {
  ProblemList problems;
  std::vector<ReportRuns> parts;
  std::vector<std::string> names;
  std::set<fs::path> read;
  for (const std::string& path : paths) {
    problems.attempt([&] {
      if (!fs::exists(path)) refuse(path, "there is no such file or folder");
      if (!read.insert(fs::canonical(path)).second) {
        fail({visible(path)}, "is named twice", "name it once");
      }
      ReportRuns runs = runs_at(path);
      if (runs.results.empty()) refuse(path, "holds no result");
      parts.push_back(std::move(runs));
      names.push_back(visible(path));
    });
  }
  require_common(names, parts, problems);
  problems.throw_if_any();
  return parts.size() == 1 ? std::move(parts.front()) : joined(std::move(parts));
}

}  // namespace flitcast
