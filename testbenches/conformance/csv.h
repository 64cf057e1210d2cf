// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace flitcast::conformance {

/// Thrown for a table that cannot be read; the message has file, line and hint.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One record of a CSV file and the line on which it starts, counted from 1.
struct CsvRecord {
  std::size_t line = 0;
  std::vector<std::string> fields;
};

/// Reads all records, header included. Fields in double quotes may contain commas, line ends and
/// doubled quotes (RFC 4180). Lines end in LF or CR LF; empty lines are skipped.
/// @param name  The file name for messages.
/// Throws InputError for a quote that is not closed.
std::vector<CsvRecord> read_csv(std::istream& in, const std::string& name);

}  // namespace flitcast::conformance
