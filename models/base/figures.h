// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/histogram.h"
#include "base/sequences.h"

namespace flitcast {

using nlohmann::ordered_json;

/// The documentation of a figure.
struct FigureMeaning {
  std::string name;     ///< Full dotted name, "latency_cycles.p95".
  std::string unit;     ///< "cycles", empty for a plain number, "(text)" if it is no number.
  std::string meaning;  ///< One sentence.
};

/// The value of a figure; null if the value is absent.
template <class T>
ordered_json figure_of(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// The value of a member of a part; null if the part is absent.
template <class Part, class T>
ordered_json figure_of(const std::optional<Part>& part, T Part::*member) {
  return part ? ordered_json((*part).*member) : ordered_json();
}

/// The bins of a histogram that are not empty: pairs of the largest value and the count, rising.
inline ordered_json bins_of(const Histogram& histogram) {
  ordered_json bins = ordered_json::array();
  histogram.for_each_bucket([&](std::uint64_t largest, std::uint64_t count) {
    bins.push_back(ordered_json::array({largest, count}));
  });
  return bins;
}

/// The value of a figure in a result, by the full dotted name of the figure, such as
/// "latency_cycles.mean" or "classes[0].name"; null if the result does not have the figure.
inline ordered_json figure_at(const ordered_json& result, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string part = name.substr(0, dot);
  const std::size_t bracket = part.find('[');
  const auto found = result.find(part.substr(0, bracket));
  if (found == result.end()) return {};
  const ordered_json* value = &*found;
  if (bracket != std::string::npos) {
    const std::size_t item = std::strtoul(part.c_str() + bracket + 1, nullptr, 10);
    if (!value->is_array() || item >= value->size()) return {};
    value = &(*value)[item];
  }
  return dot == std::string::npos ? *value : figure_at(*value, name.substr(dot + 1));
}

/// The place of a dotted name in nested objects, which are made where they are missing.
inline ordered_json& place_of(const std::string& name, ordered_json& object) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return object[name];
  return place_of(name.substr(dot + 1), object[name.substr(0, dot)]);
}

/// One figure of a part of an experiment.
template <class Part>
struct Figure {
  using Value = std::function<ordered_json(const Part&)>;

  const char* name;  ///< Full dotted name; figures of one group are adjacent.
  const char* unit;
  const char* meaning;
  Value value;  ///< Reads the figure from a part; returns null if the figure does not apply.
};

/// The figures of a part, in the order of results. Only this table defines their names, meanings
/// and values.
template <class Part>
class FigureTable {
 public:
  FigureTable(std::initializer_list<Figure<Part>> figures) : figures_(figures) {}

  /// Writes the figures of `part` that apply; a dot in a name opens a group.
  void write(const Part& part, ordered_json& result) const {
    for (const Figure<Part>& figure : figures_) {
      ordered_json value = figure.value(part);
      if (!value.is_null()) place_of(figure.name, result) = std::move(value);
    }
  }

  /// The figures of every part of a list, as one object for each part.
  template <class Parts>
  ordered_json list(const Parts& parts) const {
    ordered_json list = ordered_json::array();
    for (const Part& part : parts) {
      list.push_back(ordered_json::object());
      write(part, list.back());
    }
    return list;
  }

  /// @param prefix  Prefix of the names, such as "links." for the figures of an element of a list.
  std::vector<FigureMeaning> meanings(const std::string& prefix = "") const {
    return mapped(figures_, [&](const Figure<Part>& figure) {
      return FigureMeaning{prefix + figure.name, figure.unit, figure.meaning};
    });
  }

 private:
  std::vector<Figure<Part>> figures_;
};

}  // namespace flitcast
