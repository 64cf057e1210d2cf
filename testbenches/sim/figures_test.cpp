// SPDX-License-Identifier: Apache-2.0
// From the model to the result: every figure equals a value that is computed independently.
#include <cmath>
#include <set>

#include "figure_groups.h"
#include "sim/results/result.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

/// Returns the value at a dotted name, null if there is none; for a list, the values of all
/// elements.
Json value_at(const Json& part, const std::string& name) {
  if (part.is_array()) {
    Json column = Json::array();
    for (const Json& element : part) column.push_back(value_at(element, name));
    return column;
  }
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return part.value(name, Json());
  return value_at(part.at(name.substr(0, dot)), name.substr(dot + 1));
}

/// True if equal; numbers may differ by the rounding of a division.
bool same(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    return std::abs(a.get<double>() - b.get<double>()) <= 1e-12 * std::abs(b.get<double>());
  }
  if (!a.is_array() || !b.is_array() || a.size() != b.size()) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), same);
}

}  // namespace

TEST_CASE("every figure of the list has a row here", "[sim]") {
  std::set<std::string> known;
  for (const FigureGroup& group : figure_groups()) {
    for (const FigureRow& row : group.rows) {
      known.insert(row.figure);
      // A list is covered by the figures of its elements.
      known.insert(row.figure.substr(0, row.figure.find('.')));
    }
  }
  const std::string part = "workloads.";  // The figures of each of several workloads.
  for (const FigureMeaning& figure : figure_reference()) {
    INFO(figure.name << ": " << figure.meaning);
    const bool of_part = figure.name.rfind(part, 0) == 0;
    CHECK((known.count(figure.name) == 1 ||
           (of_part && known.count(figure.name.substr(part.size())) == 1)));
  }
}

TEST_CASE("every figure of a result is what another way of counting gives", "[sim]") {
  const Folder folder;
  write_traces(folder);
  for (const FigureGroup& group : figure_groups()) {
    const std::string text = folder.placed(group.experiment.text());
    INFO(text);
    const Observed seen = observe(configuration_of(text));
    for (const FigureRow& row : group.rows) {
      INFO(row.figure);
      const Json told = value_at(seen.result, row.figure);
      const Json expected = row.other_way(seen);
      INFO("told     " << told.dump() << "\nexpected " << expected.dump());
      CHECK(same(told, expected));
    }
  }
}
