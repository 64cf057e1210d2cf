// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "config/text_file.h"

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

// The functions below read files of numbers line by line: fields have no quotes, and comments are
// allowed.

struct CsvField {
  std::string_view text;  ///< The text without surrounding blanks.
  int column = 0;         ///< The column in its line, counted from 1, at which the field starts.
};

/// Splits at every one of `separators`; the fields keep their columns in the whole line.
/// @param column  The column at which the text starts in its line.
std::vector<CsvField> split_fields(std::string_view text, int column = 1,
                                   std::string_view separators = ",");

/// Advances to the next line that is neither blank nor a comment, which begins with #.
bool next_content(LineReader& lines);

}  // namespace flitcast
