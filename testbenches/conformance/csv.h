// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/csv.h"
#include "config/problem.h"

namespace flitcast::conformance {

/// Thrown for a table that cannot be read; the message has file, line and hint.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using flitcast::CsvRecord;

/// Reads a CSV file as flitcast::read_csv(), but throws InputError for a quote that is not closed.
inline std::vector<CsvRecord> read_csv(std::istream& in, const std::string& name) {
  try {
    return flitcast::read_csv(in, name);
  } catch (const ConfigError& error) {
    throw InputError(error.what());
  }
}

}  // namespace flitcast::conformance
