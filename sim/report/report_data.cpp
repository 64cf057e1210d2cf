// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/report/report.h"
#include "sim/results/result.h"

namespace flitcast {

namespace {

/// Limits in bytes on the drawings of single runs, on the rows of the table and on both: with the
/// library of a quarter of a megabyte, the page stays below 1.5 MB.
constexpr std::size_t kMostDetails = 1'000'000;
constexpr std::size_t kMostRows = 900'000;
constexpr std::size_t kMostData = 1'200'000;

/// A channel as report_data() lists it among the links of a layout.
ordered_json place_of(const ordered_json& link) {
  const auto& kind = link.at("kind").get_ref<const std::string&>();
  if (kind == "injection") return {1, link.at("node"), link.at("to")};
  if (kind == "ejection") return {2, link.at("node"), link.at("from"), link.at("port")};
  return {0, link.at("from"), link.at("port"), link.at("to")};
}

/// Links of a result in an order that depends on the topology alone.
std::vector<const ordered_json*> sorted_links(const ordered_json& result) {
  std::vector<std::pair<ordered_json, const ordered_json*>> places;
  for (const ordered_json& link : result.at("links")) places.emplace_back(place_of(link), &link);
  sort_by(places, [](const auto& place) { return place.first; });
  return mapped(places, [](const auto& place) { return place.second; });
}

/// The layouts of topologies, each once, and their indices by the JSON text of the layout.
struct Layouts {
  ordered_json list = ordered_json::array();
  std::map<std::string, std::size_t> numbers{};
};

/// The index of the layout of a result's topology, which is added if it is new.
std::size_t layout_of(const ordered_json& result, const std::vector<const ordered_json*>& links,
                      Layouts& layouts) {
  ordered_json layout{{"name", result.at("topology").at("name")},
                      {"routers", result.at("layout")},
                      {"links", ordered_json::array()}};
  for (const ordered_json* link : links) layout["links"].push_back(place_of(*link));
  const auto [known, is_new] = layouts.numbers.try_emplace(layout.dump(), layouts.list.size());
  if (is_new) layouts.list.push_back(std::move(layout));
  return known->second;
}

std::string label_of(const ReportRuns& runs, const PointResult& run) {
  std::string label;
  for (const std::string& key : runs.keys) {
    const ordered_json& value = run.values.at(key);
    if (value.is_null()) continue;
    label += (label.empty() ? "" : ", ") + key + " = " +
             (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return label.empty() ? runs.title : label;
}

/// The parts of a run that are drawn; null if there are none.
ordered_json details_of(const ReportRuns& runs, const PointResult& run, Layouts& layouts) {
  const ordered_json& result = run.result;
  if (!result.contains("links") || !result.contains("layout")) return nullptr;
  const std::vector<const ordered_json*> links = sorted_links(result);
  ordered_json details{{"label", label_of(runs, run)},
                       {"layout", layout_of(result, links, layouts)}};
  const auto& topology = result.at("topology");
  details["truncated"] = links.size() < topology.at("channels").get<std::size_t>();
  for (const ordered_json* link : links) {
    details["loads"].push_back(std::round(link->at("load").get<double>() * 10000) / 10000);
    if (link->contains("series")) details["link_series"].push_back(link->at("series"));
  }
  const auto latencies = result.find("latency_cycles");
  if (latencies != result.end()) details["histogram"] = latencies->at("histogram");
  if (result.contains("series")) details["series"] = result.at("series");
  if (result.contains("distances")) details["distances"] = result.at("distances");
  return details;
}

/// Details of as many runs as fit, the first runs first.
/// @param most  The largest size of the details, in bytes.
void add_details(const ReportRuns& runs, std::size_t most, ordered_json& data) {
  Layouts layouts;
  std::size_t bytes = 0;
  std::size_t without = 0;
  data["runs"] = ordered_json::array();
  for (const PointResult& run : runs.results) {
    ordered_json details = bytes < most ? details_of(runs, run, layouts) : ordered_json();
    if (details.is_null()) {
      without += bytes < most ? 0U : 1U;
      continue;
    }
    const std::size_t more = details.dump().size();
    if (bytes + more + layouts.list.dump().size() > most) bytes = most;
    if (bytes == most) {
      ++without;
      continue;
    }
    bytes += more;
    data["runs"].push_back(std::move(details));
  }
  data["layouts"] = std::move(layouts.list);
  data["without_details"] = without;
}

/// Removes the columns that have one value in all rows, and returns these values by column.
ordered_json take_what_is_the_same(MergedTable& table) {
  ordered_json same = ordered_json::object();
  if (table.rows.size() < 2) return same;
  std::vector<std::size_t> differing;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ordered_json& first = table.rows.front()[c];
    const bool differs = any_of(table.rows, [&](const auto& row) { return row[c] != first; });
    if (differs) {
      differing.push_back(c);
    } else {
      same[table.columns[c]] = first;
    }
  }
  for (std::vector<ordered_json>& row : table.rows) {
    row = mapped(differing, [&](const std::size_t c) { return std::move(row[c]); });
  }
  return same;
}

std::size_t bytes_of(const std::vector<ordered_json>& rows) {
  return sum_of<std::size_t>(rows, [](const ordered_json& row) { return row.dump().size() + 1; });
}

/// Rounds numbers to the 6 digits that the page shows.
void round_numbers(std::vector<ordered_json>& rows) {
  for (ordered_json& row : rows) {
    for (ordered_json& cell : row) {
      if (cell.is_number_float()) cell = std::stod(fmt::format("{:.6g}", cell.get<double>()));
    }
  }
}

/// The rows of a table, rounded if they are too large; if they still are, one row in `one_in`,
/// spread evenly whatever the period of the keys.
ordered_json rows_within(const MergedTable& table, std::size_t& one_in) {
  std::vector<ordered_json> rows(table.rows.begin(), table.rows.end());
  if (bytes_of(rows) > kMostRows) round_numbers(rows);
  one_in = bytes_of(rows) / kMostRows + 1;
  constexpr double kGoldenRatio = 0.6180339887498949;
  ordered_json kept = ordered_json::array();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double place = static_cast<double>(r) * kGoldenRatio;
    const bool keep = (place - std::floor(place)) * static_cast<double>(one_in) < 1;
    if (keep) kept.push_back(std::move(rows[r]));
  }
  return kept;
}

/// The meanings of the columns.
ordered_json meanings_of(const std::vector<std::string>& columns) {
  const std::set<std::string> told(columns.begin(), columns.end());
  ordered_json meanings = ordered_json::object();
  for (const FigureMeaning& figure : figure_reference()) {
    if (told.count(figure.name) == 0) continue;
    meanings[figure.name] = {{"unit", figure.unit}, {"meaning", figure.meaning}};
  }
  return meanings;
}

}  // namespace

ordered_json report_data(const ReportRuns& runs) {
  MergedTable table = results_table(runs.keys, runs.results);
  ordered_json same = take_what_is_the_same(table);
  std::size_t one_in = 1;
  ordered_json rows = rows_within(table, one_in);
  const std::size_t space = kMostData - rows.dump().size();
  ordered_json data{{"title", runs.title},
                    {"version", FLITCAST_VERSION},
                    {"points", runs.points},
                    {"missing", runs.points - runs.results.size()},
                    {"keys", runs.keys},
                    {"columns", table.columns},
                    {"same", std::move(same)},
                    {"rows", std::move(rows)},
                    {"one_in", one_in},
                    {"figures", meanings_of(table.columns)},
                    {"config", runs.results.front().result.at("config")},
                    {"optima", runs.optima}};
  add_details(runs, std::min(space, kMostDetails), data);
  return data;
}

namespace {

/// Replaces /*MARK*/ in the template by the text.
void put(std::string& page, const std::string& mark, std::string_view text) {
  page.replace(page.find(mark), mark.size(), text);
}

/// JSON that cannot end the script element in which it stands.
std::string embedded(const ordered_json& data) {
  constexpr auto kReplace = ordered_json::error_handler_t::replace;  // Bytes that are not UTF-8.
  return all_replaced(data.dump(-1, ' ', false, kReplace), "<", "\\u003c");
}

}  // namespace

// Replaces the marks from the last to the first, so that inserted texts are not searched for marks.
std::string report_page(const ordered_json& data) {
  std::string page = kPageHtml;
  put(page, "/*SCRIPT*/", std::string(kDrawingJs) + kChartsJs + kParetoJs + kNetworkJs + kPageJs);
  put(page, "/*LIBRARY*/", kChartLibraryJs);
  put(page, "/*DATA*/", embedded(data));
  put(page, "/*STYLE*/", kPageCss);
  return page;
}

}  // namespace flitcast
