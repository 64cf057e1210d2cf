// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/merged_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/results/result.h"
#include "stats/mean_interval.h"

namespace flitcast {

namespace {

/// One figure over all points; null for points without it.
using Column = std::vector<ordered_json>;

bool is_empty(const Column& column) {
  return all_of(column, [](const auto& cell) { return cell.is_null(); });
}

/// The figures of the points, in addition to keys.
std::vector<std::pair<std::string, Column>> figure_columns(const std::vector<std::string>& keys,
                                                           const std::vector<PointResult>& points) {
  std::set<std::string> left_out = passing_members();
  left_out.insert(keys.begin(), keys.end());
  std::vector<std::pair<std::string, Column>> columns;
  for (const FigureMeaning& figure : figure_reference()) {
    if (left_out.count(figure.name) != 0) continue;
    // Numbers, words and truth values only.
    Column column = mapped(points, [&](const PointResult& point) {
      const ordered_json value = figure_at(point.result, figure.name);
      return value.is_primitive() ? value : ordered_json();
    });
    if (!is_empty(column)) columns.emplace_back(figure.name, std::move(column));
  }
  return columns;
}

std::string cell_text(const ordered_json& cell) {
  if (cell.is_null()) return "";
  if (cell.is_number()) return cell.dump();
  return csv_cell(cell.is_string() ? cell.get<std::string>() : cell.dump());
}

template <class Cells>
std::string line_of(const Cells& cells) {
  return joined(mapped(cells, cell_text), ",") + "\n";
}

/// The points of one combination: a range in the list of all.
struct Group {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Group> groups_of(const std::vector<PointResult>& points, std::size_t repeat) {
  std::vector<Group> groups;
  for (std::size_t place = 0; place < points.size(); ++place) {
    const bool same = place > 0 && points[place].point / repeat == points[place - 1].point / repeat;
    if (!same) groups.push_back({place, place});
    groups.back().end = place + 1;
  }
  return groups;
}

Column cells_of(const Column& column, const Group& group) {
  Column cells;
  for (std::size_t place = group.begin; place < group.end; ++place) {
    if (!column[place].is_null()) cells.push_back(column[place]);
  }
  return cells;
}

ordered_json common(const Column& cells) {
  const bool agree =
      !cells.empty() && all_of(cells, [&](const auto& cell) { return cell == cells.front(); });
  return agree ? cells.front() : ordered_json();
}

void add_column(MergedTable& table, const std::string& name, const Column& column) {
  if (is_empty(column)) return;
  table.columns.push_back(name);
  for (std::size_t row = 0; row < column.size(); ++row) table.rows[row].push_back(column[row]);
}

/// True if the runs of every group agree.
bool never_differs(const Column& column, const std::vector<Group>& groups) {
  return all_of(groups, [&](const Group& group) {
    const Column cells = cells_of(column, group);
    return cells.empty() || !common(cells).is_null();
  });
}

/// Adds the values on which the runs of every group agree, or the means of numbers.
void add_means(MergedTable& table, const std::string& name, const Column& column,
               const std::vector<Group>& groups) {
  const auto may_be_number = [](const auto& cell) { return cell.is_null() || cell.is_number(); };
  const bool means = all_of(column, may_be_number) && !never_differs(column, groups);
  Column values;
  Column half_widths(groups.size());
  for (std::size_t row = 0; row < groups.size(); ++row) {
    const Column cells = cells_of(column, groups[row]);
    values.push_back(common(cells));
    if (!means || cells.empty()) continue;
    const std::vector<double> numbers(cells.begin(), cells.end());
    values.back() = mean_of(numbers);
    half_widths[row] = figure_of(half_width_95(numbers));
  }
  add_column(table, name, values);
  add_column(table, name + ".half_width_95", half_widths);
}

}  // namespace

std::string MergedTable::csv() const {
  return line_of(columns) + sum_of<std::string>(rows, [](const auto& row) { return line_of(row); });
}

MergedTable results_table(const std::vector<std::string>& keys,
                          const std::vector<PointResult>& points) {
  MergedTable table{keys, {}};
  table.columns.emplace_back("point");
  for (const PointResult& point : points) {
    table.rows.push_back(mapped(keys, [&](const auto& key) { return point.values.at(key); }));
    table.rows.back().emplace_back(point.point);
  }
  for (const auto& [name, column] : figure_columns(keys, points)) add_column(table, name, column);
  return table;
}

MergedTable means_table(const std::vector<std::string>& keys, std::size_t repeat,
                        const std::vector<PointResult>& points) {
  MergedTable table{filtered(keys, [](const std::string& key) { return key != "seed"; }), {}};
  const std::vector<Group> groups = groups_of(points, repeat);
  for (const Group& group : groups) {
    table.rows.push_back(
        mapped(table.columns, [&](const auto& key) { return points[group.begin].values.at(key); }));
  }
  const auto is_ok = [&](std::size_t p) { return points[p].result.at("status") == "ok"; };
  add_column(table, "runs", mapped<ordered_json>(groups, [](const Group& group) {
               return group.end - group.begin;
             }));
  add_column(table, "runs_ok", mapped<ordered_json>(groups, [&](const Group& group) {
               return count_if(numbers(group.begin, group.end), is_ok);
             }));
  for (const auto& [name, column] : figure_columns(keys, points)) {
    add_means(table, name, column, groups);
  }
  return table;
}

namespace {

void tell_some(const char* what, const std::vector<std::string>& lines) {
  for (std::size_t line = 0; line < std::min(lines.size(), ConfigError::kMostShown); ++line) {
    std::cerr << what << ' ' << lines[line] << '\n';
  }
  if (lines.size() <= ConfigError::kMostShown) return;
  std::cerr << fmt::format("{} more points are {}\n", lines.size() - ConfigError::kMostShown, what);
}

}  // namespace

CollectedPoints collect_points(const SweepFolder& folder, const ordered_json& description) {
  const PointStore store = folder.store(description);
  const std::vector<DescribedPoint> points = points_of(description);
  CollectedPoints collected{points.size()};
  for (const DescribedPoint& point : points) {
    StoredPoint stored = store.find(point.id);
    if (stored.done()) {
      collected.results.push_back({point.point, point.values, std::move(stored.result)});
      continue;
    }
    const bool failed = stored.state == StoredPoint::State::kFailed;
    (failed ? collected.failed : collected.missing)
        .push_back(fmt::format("point {} {}: {}", point.point, visible(point.values.dump()),
                               stored.reason));
  }
  return collected;
}

void tell_missing(const CollectedPoints& collected) {
  tell_some("failed", collected.failed);
  tell_some("missing", collected.missing);
  if (!collected.failed.empty()) {
    std::cerr << "points that have failed run again with --rerun failed\n";
  }
}

}  // namespace flitcast
