// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace flitcast {

/// One record of a CSV file and the line on which it starts, counted from 1.
struct CsvRecord {
  std::size_t line = 0;
  std::vector<std::string> fields;
};

/// Reads all records, header included. Fields in double quotes may contain commas, line ends and
/// doubled quotes (RFC 4180). Lines end in LF or CR LF; empty lines are skipped.
/// @param name  The file name for messages.
/// Throws ConfigError for a quote that is not closed.
std::vector<CsvRecord> read_csv(std::istream& in, const std::string& name);

}  // namespace flitcast
