// SPDX-License-Identifier: Apache-2.0
#include "sim/energy/energy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "config/wording.h"
#include "config/yaml_file.h"

namespace flitcast {

namespace {

/// The energy of a bit change is half of C V^2.
constexpr double kHalf = 0.5;

/// Members of a row that are whole numbers, by their keys.
using SizeMembers = std::vector<std::pair<std::string, std::size_t EnergyRow::*>>;

const SizeMembers kRouterSizes{{"ports", &EnergyRow::ports},
                               {"virtual_channels", &EnergyRow::virtual_channels},
                               {"buffer_depth", &EnergyRow::buffer_depth},
                               {"departure", &EnergyRow::departure}};
const SizeMembers kCrossbarSizes{{"inputs", &EnergyRow::inputs}, {"outputs", &EnergyRow::outputs}};

/// Reads values of a YAML text and records a problem for each that is missing or wrong.
class TableReader {
 public:
  TableReader(const std::string& name, ProblemList& problems) : name_(name), problems_(problems) {}

  EnergyTable read(const YamlValue& top) {
    EnergyTable table;
    check_keys(top, {"technology", "caveat", "volts", "wire_pf_per_mm", "rows"}, {});
    table.technology = text(top, "technology");
    table.caveat = text(top, "caveat");
    table.volts = number(top, "volts");
    table.wire_pf_per_mm = number(top, "wire_pf_per_mm");
    if (const YamlEntry* rows = top.find("rows")) {
      if (rows->value.items.empty())
        add(rows->place, "rows", "there are none", "add a list of rows");
      for (const YamlValue& one : rows->value.items) table.rows.push_back(row(one));
    }
    return table;
  }

 private:
  EnergyRow row(const YamlValue& from) {
    const bool is_router = from.find("crossbar") == nullptr;
    const SizeMembers& sizes = is_router ? kRouterSizes : kCrossbarSizes;
    std::vector<std::string> needed{is_router ? "router" : "crossbar"};
    for (const auto& [key, size] : sizes) needed.push_back(key);
    for (const char* key : {"width", "clock_pj", "input_pin_pf", "parts"}) needed.emplace_back(key);
    // The keys rtl, cells, flip_flops and errors are only for readers of the table.
    std::vector<std::string> more{"longest_packet", "rtl",        "cells", "flip_flops",
                                  "area_um2",       "leakage_uw", "errors"};
    if (!is_router) more.erase(more.begin());
    check_keys(from, needed, more);
    EnergyRow result;
    result.width = count(from, "width");
    result.clock_pj = number(from, "clock_pj");
    result.input_pin_pf = number(from, "input_pin_pf");
    if (from.find("leakage_uw") != nullptr) result.leakage_uw = number(from, "leakage_uw");
    if (const YamlEntry* areas = from.find("area_um2")) {
      result.area_um2 = 0;
      for (const YamlEntry& part : areas->value.entries) {
        *result.area_um2 += number(areas->value, part.key);
      }
    }
    if (const YamlEntry* parts = from.find("parts")) {
      for (const YamlEntry& part : parts->value.entries) result.parts.push_back(this->part(part));
    }
    (is_router ? result.router : result.crossbar) = text(from, needed.front());
    for (const auto& [key, size] : sizes) result.*size = count(from, key);
    if (is_router) result.longest_packet = count(from, "longest_packet");
    return result;
  }

  EnergyPart part(const YamlEntry& from) {
    EnergyPart result{from.key, std::vector<double>(event_names().size())};
    const auto names = mapped<std::string>(event_names(), &EventName::name);
    check_keys(from.value, {}, names);
    for (std::size_t e = 0; e < names.size(); ++e) {
      if (from.value.find(names[e]) != nullptr) result.prices[e] = number(from.value, names[e]);
    }
    return result;
  }

  void check_keys(const YamlValue& map, const std::vector<std::string>& needed,
                  const std::vector<std::string>& more) {
    for (const std::string& key : needed) {
      if (map.find(key) == nullptr) add(map.place, key, "it is missing", "add it");
    }
    const std::vector<std::string> known = concatenated({needed, more});
    for (const YamlEntry& entry : map.entries) {
      if (contains(known, entry.key)) continue;
      add(entry.place, entry.key, "tables of energies have no such key", "use " + either(known));
    }
  }

  std::string text(const YamlValue& map, const std::string& key) {
    const YamlEntry* const entry = map.find(key);
    return entry == nullptr ? "" : entry->value.text;
  }

  double number(const YamlValue& map, const std::string& key) {
    const YamlEntry* const entry = map.find(key);
    if (entry == nullptr) return 0;
    const std::optional<double> value = number_in<double>(entry->value.text);
    const bool sound = value && *value >= 0 && *value < 1e12;
    if (!sound) {
      add(entry->value.place, key, quoted(entry->value.text) + " is no number from 0 up",
          "write one, such as 1.5");
    }
    return sound ? *value : 0;
  }

  std::size_t count(const YamlValue& map, const std::string& key) {
    const double value = number(map, key);
    const auto whole = static_cast<std::size_t>(value);
    if (static_cast<double>(whole) != value) {
      add(map.find(key)->value.place, key, "it is no whole number", "write one");
    }
    return whole;
  }

  void add(const Place& place, const std::string& key, std::string what, std::string hint) {
    problems_.add({place.file.empty() ? Place{name_, place.line, place.column} : place, key,
                   std::move(what), std::move(hint)});
  }

  const std::string& name_;
  ProblemList& problems_;
};

}  // namespace

double EnergyPart::energy(const RouterEvents& events) const {
  return sum_of<double>(numbers(prices.size()), [&](std::size_t e) {
    return prices[e] * (events.*event_names()[e].count);
  });
}

double EnergyRow::dynamic(const RouterEvents& events) const {
  return sum_of<double>(parts, [&](const EnergyPart& part) { return part.energy(events); });
}

std::string EnergyRow::text() const {
  if (!crossbar.empty()) {
    return fmt::format("{} crossbar, {}x{}, {} bits", crossbar, inputs, outputs, width);
  }
  std::string text = fmt::format("{}, {} ports, {} VCs of {}, {} bits", router, ports,
                                 virtual_channels, buffer_depth, width);
  if (longest_packet != 0) text += fmt::format(", packets of at most {} flits", longest_packet);
  return estimated ? text + ", estimated" : text;
}

std::string EnergyRow::configuration() const {
  return crossbar.empty()
             ? fmt::format("{}-{}x{}x{}", router, virtual_channels, buffer_depth, width)
             : fmt::format("{}_crossbar-{}x{}x{}", crossbar, inputs, outputs, width);
}

std::string rows_text(const std::vector<EnergyRow>& rows) {
  const auto texts = mapped(rows, [](const EnergyRow& row) { return row.text(); });
  return joined(texts, "; ");
}

double EnergyTable::link_bit_pj(const EnergyRow& row, double millimetres) const {
  return kHalf * volts * volts * (row.input_pin_pf + millimetres * wire_pf_per_mm);
}

EnergyTable read_energy_table(const std::string& text, const std::string& name) {
  ProblemList problems;
  const YamlValue top = read_yaml_file(text, name, problems);
  EnergyTable table = TableReader(name, problems).read(top);
  problems.throw_if_any();
  return table;
}

}  // namespace flitcast
