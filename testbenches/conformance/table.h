// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "conformance/check.h"

namespace flitcast::conformance {

/// A category of rows that the specification defines.
struct Category {
  std::string name;
  Check check = nullptr;  ///< Null: the category is not implemented.
};

/// A kind of table, recognised by its header.
struct TableFormat {
  std::vector<std::string> header;
  /// Number of leading columns that identify the instance of a row.
  std::size_t naming_columns = 1;
  std::string group_column;  ///< Rows with equal text in this column are checked together.
  /// The column names the row's category; " k=..." at its end is a parameter.
  std::string category_column;
  std::vector<Category> categories;
};

/// The rows of one file.
struct Table {
  std::string name;  ///< The name of the file.
  const TableFormat* format = nullptr;
  std::vector<Row> rows;
};

/// Reads a table in one of `formats`, which must outlive it.
/// Throws InputError for an unknown header, and for a row whose number of fields differs from the
/// header.
Table read_table(std::istream& in, const std::string& name,
                 const std::vector<TableFormat>& formats);

/// The non-empty naming columns of a row, separated by spaces.
std::string label(const TableFormat& format, const Row& row);

/// The category of a row, without a parameter at the end of its name.
std::string category_name(const TableFormat& format, const Row& row);

}  // namespace flitcast::conformance
