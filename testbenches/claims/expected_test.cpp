// SPDX-License-Identifier: Apache-2.0
// Every statement against its rows in expected_NNN.csv: id, size, parameters, figures, verdict. The
// figures are "name value; name value", a value with "+- x" being a mean. A row without figures
// belongs to a statement that the catalog does not have yet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "config/csv.h"
#include "config/wording.h"
#include "sim/claims/statement.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A figure as a table of expected values writes it.
struct ExpectedFigure {
  std::string name;
  std::string value;
};

std::vector<ExpectedFigure> figures_in(const std::string& text) {
  std::vector<ExpectedFigure> figures;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("; ", at), text.size());
    const std::size_t blank = std::min(text.find(' ', at), end);
    figures.push_back(
        {text.substr(at, blank - at), blank < end ? text.substr(blank + 1, end - blank - 1) : ""});
    at = end + 2;
  }
  return figures;
}

bool agrees(const std::string& expected, const ordered_json& found) {
  const std::size_t sign = expected.find(" +- ");
  if (sign == std::string::npos) return expected == claims::value_text(found);
  const double mean = number_in<double>(expected.substr(0, sign)).value();
  const double tolerance = number_in<double>(expected.substr(sign + 4)).value();
  return found.is_number() && std::abs(found.get<double>() - mean) <= tolerance;
}

void check_row(const claims::Statement& statement, const std::vector<std::string>& row) {
  INFO(row[0] << " " << row[1] << ": " << row[2]);
  const claims::Finding finding = claims::find(statement, claims::parameters_of(statement, row[2]));
  INFO(to_json(finding).dump(2));
  CHECK(finding.as_expected());
  CHECK(finding.verdict().rfind(row[4], 0) == 0);
  CHECK_FALSE(row[3].empty());
  for (const ExpectedFigure& expected : figures_in(row[3])) {
    INFO(expected.name << " should be " << expected.value);
    CHECK(finding.figures.values.contains(expected.name));
    if (!finding.figures.values.contains(expected.name)) continue;
    CHECK(agrees(expected.value, finding.figures.values.at(expected.name)));
  }
}

/// Checks every row of a document whose statement exists, and prints how many do not.
void check_document(const std::string& number) {
  const std::string file = fmt::format("{}/expected_{}.csv", FLITCAST_CLAIMS, number);
  std::ifstream in(file);
  REQUIRE(in);
  std::set<std::string> ids;
  std::vector<std::string> missing;
  for (const CsvRecord& record : read_csv(in, file)) {
    REQUIRE(record.fields.size() == 5);
    if (record.fields[0] == "id") continue;
    const claims::Statement* statement = claims::find_statement(record.fields[0]);
    const bool is_new = ids.insert(record.fields[0]).second;
    if (statement == nullptr && is_new) missing.push_back(record.fields[0]);
    if (statement != nullptr) check_row(*statement, record.fields);
  }
  std::cout << fmt::format("document {}: {} of {} statements have an entry{}{}\n", number,
                           ids.size() - missing.size(), ids.size(),
                           missing.empty() ? "" : "; without one: ", fmt::join(missing, " "));
  for (const claims::Document& document : claims::documents()) {
    if (document.number != number) continue;
    for (const claims::Statement& statement : document.statements) {
      INFO(statement.id);
      CHECK(ids.count(statement.id) == 1);
    }
  }
}

}  // namespace

TEST_CASE("statements of document 000 have the expected figures and verdicts", "[claims]") {
  check_document("000");
}

TEST_CASE("statements of document 001 have the expected figures and verdicts", "[claims]") {
  check_document("001");
}

TEST_CASE("statements of document 002 have the expected figures and verdicts", "[claims]") {
  check_document("002");
}

TEST_CASE("statements of document 003 have the expected figures and verdicts", "[claims]") {
  check_document("003");
}

TEST_CASE("statements of document 004 have the expected figures and verdicts", "[claims]") {
  check_document("004");
}
