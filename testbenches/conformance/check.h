// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace flitcast::conformance {

/// The engine that recomputes a row: the abstract step machine, the cycle-accurate network, or the
/// Verilated RTL. A row that only one of them can compute is computed there at any level.
enum class Level { kStep, kNetwork, kBoth, kRtl };

/// One row of a table: column name -> text.
class Row {
 public:
  Row(std::size_t line, std::map<std::string, std::string> fields)
      : line_(line), fields_(std::move(fields)) {}

  std::size_t line() const { return line_; }

  /// The text in that column; throws std::out_of_range for a column that the table does not have.
  const std::string& operator[](const std::string& column) const { return fields_.at(column); }

 private:
  std::size_t line_;
  std::map<std::string, std::string> fields_;
};

/// A value that differs from the table.
struct Difference {
  std::string what;
  std::string expected;
  std::string got;
};

/// The verdict on one row.
struct Verdict {
  enum class Kind {
    kPassed,
    kFailed,  ///< `differences` lists the reasons.
    /// The row is specified, but flitcast does not implement it; `reason` names the missing part.
    kNotBuilt,
    kUnknown,  ///< The row is not in the specification; `reason` explains this.
  };

  Kind kind = Kind::kPassed;
  std::vector<Difference> differences{};
  std::string reason{};

  /// Passed without differences, failed otherwise.
  static Verdict of(std::vector<Difference> differences) {
    const Kind kind = differences.empty() ? Kind::kPassed : Kind::kFailed;
    return {kind, std::move(differences), {}};
  }
  static Verdict not_built(std::string reason) { return {Kind::kNotBuilt, {}, std::move(reason)}; }
  static Verdict unknown(std::string reason) { return {Kind::kUnknown, {}, std::move(reason)}; }
};

/// Recomputes rows that belong together (the points of a curve) and returns one verdict for each,
/// in their order.
/// Throws std::invalid_argument for rows that describe no computable instance.
using Check = std::vector<Verdict> (*)(const std::vector<Row>& rows, Level level);

/// The check of a category whose rows are independent.
template <Verdict (*verify)(const Row& row, Level level)>
std::vector<Verdict> each(const std::vector<Row>& rows, Level level) {
  std::vector<Verdict> verdicts;
  for (const Row& row : rows) verdicts.push_back(verify(row, level));
  return verdicts;
}

}  // namespace flitcast::conformance
