// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner.h"

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace flitcast::conformance {
namespace {

/// Rows with equal text in the group column, regardless of position, in the order of their first
/// row.
std::vector<std::vector<Row>> groups_of(const TableFormat& format, const std::vector<Row>& rows) {
  std::vector<std::vector<Row>> groups;
  std::map<std::string, std::size_t> position;
  for (const Row& row : rows) {
    const auto [found, is_new] = position.emplace(row[format.group_column], groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(row);
  }
  return groups;
}

std::vector<Verdict> verify(const TableFormat& format, const std::vector<Row>& rows, Level level) {
  const std::string name = category_name(format, rows.front());
  const auto found = std::find_if(format.categories.begin(), format.categories.end(),
                                  [&](const Category& category) { return category.name == name; });
  const auto for_all = [&](const Verdict& verdict) { return std::vector(rows.size(), verdict); };
  if (found == format.categories.end()) {
    return for_all(Verdict::unknown("the specification has no " + format.category_column + " \"" +
                                    name + "\""));
  }
  if (found->check == nullptr) {
    return for_all(Verdict::not_built(format.category_column + " " + name));
  }
  try {
    return found->check(rows, level);
  } catch (const std::invalid_argument& error) {
    return for_all(Verdict::unknown(error.what()));
  } catch (const std::exception& error) {
    return for_all(Verdict::of({{"computation", "a result", error.what()}}));
  }
}

}  // namespace

void Runner::run(const Table& table) {
  std::vector<Row> rows;
  std::copy_if(table.rows.begin(), table.rows.end(), std::back_inserter(rows), [&](const Row& row) {
    return label(*table.format, row).find(options_.only) != std::string::npos;
  });
  for (const auto& group : groups_of(*table.format, rows)) run_group(table, group);
}

void Runner::run_group(const Table& table, const std::vector<Row>& rows) {
  const std::vector<Verdict> verdicts = verify(*table.format, rows, options_.level);
  if (verdicts.size() != rows.size()) throw std::logic_error("a check must verify every row");
  for (std::size_t i = 0; i < rows.size(); ++i) record(table, rows[i], verdicts[i]);
}

void Runner::record(const Table& table, const Row& row, const Verdict& verdict) {
  const std::string name = label(*table.format, row);
  switch (verdict.kind) {
    case Verdict::Kind::kPassed:
      ++passed_;
      break;
    case Verdict::Kind::kFailed:
      ++failed_;
      for (const Difference& difference : verdict.differences) {
        results_ << name << ": " << difference.what << ": expected " << difference.expected
                 << ", got " << difference.got << '\n';
      }
      break;
    case Verdict::Kind::kNotBuilt:
      ++not_built_[verdict.reason];
      break;
    case Verdict::Kind::kUnknown:
      ++unknown_;
      notes_ << table.name << ':' << row.line() << ": " << name << ": unknown: " << verdict.reason
             << '\n';
      break;
  }
}

int Runner::finish() {
  std::size_t skipped = unknown_;
  for (const auto& [reason, rows] : not_built_) {
    notes_ << "skipped " << rows << (rows == 1 ? " row" : " rows") << ", not built yet: " << reason
           << '\n';
    skipped += rows;
  }
  notes_.flush();
  results_ << passed_ << " passed, " << failed_ << " failed, " << skipped << " skipped"
           << std::endl;
  return failed_ == 0 && unknown_ == 0 ? 0 : 1;
}

}  // namespace flitcast::conformance
