// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <ostream>
#include <string>

#include "conformance/table.h"

namespace flitcast::conformance {

/// Recomputes tables, prints the differences and counts.
class Runner {
 public:
  struct Options {
    Level level = Level::kBoth;
    std::string only{};  ///< Skips rows whose label() does not contain this.
  };

  /// @param results  One line per difference: "ID INSTANCE: what: expected X, got Y".
  /// @param notes    One line per unknown row, and the skipped ones with the reason.
  Runner(Options options, std::ostream& results, std::ostream& notes)
      : options_(std::move(options)), results_(results), notes_(notes) {}

  void run(const Table& table);

  /// Prints the summary and returns the exit code: 0 if no row failed or was unknown, else 1.
  int finish();

 private:
  void run_group(const Table& table, const std::vector<Row>& rows);
  void record(const Table& table, const Row& row, const Verdict& verdict);

  const Options options_;
  std::ostream& results_;
  std::ostream& notes_;
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t unknown_ = 0;
  std::map<std::string, std::size_t> not_built_;  // Reason -> rows.
};

}  // namespace flitcast::conformance
