// SPDX-License-Identifier: Apache-2.0
#include "config/csv.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/problem.h"

namespace flitcast {
namespace {

constexpr const char* kBlanks = " \t\r";

class CsvReader {
 public:
  CsvReader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  /// Returns the next record; absent at the end of the file.
  std::optional<CsvRecord> next() {
    if (in_.peek() == std::istream::traits_type::eof()) return std::nullopt;
    CsvRecord record{line_, {}};
    do {
      record.fields.push_back(field());
    } while (take(','));
    if (!take('\n')) in_.get();  // The end of the file ends the last line too.
    ++line_;
    return record;
  }

 private:
  std::string field() { return take('"') ? quoted() : plain(); }

  std::string plain() {
    std::string text;
    while (in_.peek() != ',' && in_.peek() != '\n' && in_.peek() != EOF) text += get();
    if (in_.peek() != ',' && !text.empty() && text.back() == '\r') text.pop_back();
    return text;
  }

  std::string quoted() {
    const std::size_t opened = line_;
    std::string text;
    for (;;) {
      if (in_.peek() == EOF) {
        fail({name_, static_cast<int>(opened), 0}, "a double quote is opened and never closed",
             "close or double it");
      }
      const char c = get();
      if (c == '\n') ++line_;
      if (c == '"' && !take('"')) return text + plain();
      text += c;
    }
  }

  char get() { return static_cast<char>(in_.get()); }

  bool take(char wanted) {
    if (in_.peek() != wanted) return false;
    in_.get();
    return true;
  }

  std::istream& in_;
  const std::string& name_;
  std::size_t line_ = 1;
};

bool blank(const CsvRecord& record) {
  return record.fields.size() == 1 && record.fields.front().empty();
}

}  // namespace

std::vector<CsvRecord> read_csv(std::istream& in, const std::string& name) {
  std::vector<CsvRecord> records;
  CsvReader reader(in, name);
  while (auto record = reader.next()) {
    if (!blank(*record)) records.push_back(std::move(*record));
  }
  return records;
}

std::vector<CsvField> split_fields(std::string_view text, int column, std::string_view separators) {
  std::vector<CsvField> fields;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(kBlanks, begin), end);
    const std::size_t last = text.substr(0, end).find_last_not_of(kBlanks);
    fields.push_back({first == end ? std::string_view{} : text.substr(first, last + 1 - first),
                      column + static_cast<int>(first)});
    begin = end + 1;
  }
  return fields;
}

bool next_content(LineReader& lines) {
  while (lines.next()) {
    const std::size_t first = lines.line().find_first_not_of(kBlanks);
    if (first != std::string::npos && lines.line()[first] != '#') return true;
  }
  return false;
}

}  // namespace flitcast
