// SPDX-License-Identifier: Apache-2.0
#include "conformance/table.h"

#include <algorithm>

#include "conformance/csv.h"

namespace flitcast::conformance {
namespace {

const TableFormat& recognise(const std::vector<CsvRecord>& records, const std::string& name,
                             const std::vector<TableFormat>& formats) {
  if (records.empty()) throw InputError(name + ": empty; the first line must be a table's header");
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const auto& format) {
    return format.header == records.front().fields;
  });
  if (found != formats.end()) return *found;
  throw InputError(name + ":1: unknown header, starting with \"" + records.front().fields.front() +
                   "\"; it must be that of one of the four tables of the specification");
}

Row row_of(const CsvRecord& record, const TableFormat& format, const std::string& name) {
  if (record.fields.size() != format.header.size()) {
    throw InputError(name + ":" + std::to_string(record.line) + ": " +
                     std::to_string(record.fields.size()) + " fields where the header has " +
                     std::to_string(format.header.size()) +
                     "; put fields that hold commas in double quotes");
  }
  std::map<std::string, std::string> fields;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    fields[format.header[i]] = record.fields[i];
  return {record.line, std::move(fields)};
}

}  // namespace

Table read_table(std::istream& in, const std::string& name,
                 const std::vector<TableFormat>& formats) {
  const std::vector<CsvRecord> records = read_csv(in, name);
  const TableFormat& format = recognise(records, name, formats);
  Table table{name, &format, {}};
  for (std::size_t i = 1; i < records.size(); ++i) {
    table.rows.push_back(row_of(records[i], format, name));
  }
  return table;
}

std::string label(const TableFormat& format, const Row& row) {
  std::string text;
  for (std::size_t i = 0; i < format.naming_columns; ++i) {
    const std::string& field = row[format.header[i]];
    if (!field.empty()) text += (text.empty() ? "" : " ") + field;
  }
  return text;
}

std::string category_name(const TableFormat& format, const Row& row) {
  const std::string& text = row[format.category_column];
  return text.substr(0, text.find(" k="));
}

}  // namespace flitcast::conformance
