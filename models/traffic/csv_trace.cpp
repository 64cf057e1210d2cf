// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flit.h"
#include "traffic/trace.h"
#include "traffic/trace_builder.h"

namespace flitcast {
namespace {

enum Column : std::size_t { kCycle, kSource, kDestination, kFlits, kId, kDeps, kClass, kColumns };

struct ColumnRule {
  const char* name;
  bool required;
  std::uint64_t least;
  std::uint64_t most;
};

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxNode = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<ColumnRule, kColumns> kRules{{{"cycle", true, 0, kMaxTraceCycle},
                                                   {"src", true, 0, kMaxNode},
                                                   {"dst", true, 0, kMaxNode},
                                                   {"flits", true, 1, kMaxPacketLength},
                                                   {"id", false, 0, kAny},
                                                   {"deps", false, 0, kAny},
                                                   {"class", false, 0, 0}}};

struct Field {
  std::string_view text;  ///< Without blanks around it.
  int column = 0;         ///< Where it starts in its line, from 1.
};

/// Cuts at every one of `separators`; the fields keep their place in the whole line.
std::vector<Field> split(std::string_view text, int column, std::string_view separators) {
  std::vector<Field> fields;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t\r", begin), end);
    const std::size_t last = text.substr(0, end).find_last_not_of(" \t\r");
    fields.push_back({first == end ? std::string_view{} : text.substr(first, last + 1 - first),
                      column + static_cast<int>(first)});
    begin = end + 1;
  }
  return fields;
}

class CsvReader {
 public:
  CsvReader(std::istream& in, const std::string& file)
      : in_(in), file_(file), builder_(file, Trace::Unit::kLine) {}

  Trace read() {
    if (!next_line()) throw ConfigError({{file_, 0, 0}, "", "no header", kHeaderRemedy});
    read_header();
    problems_.throw_if_any();  // Without knowing the columns every row would be wrong.
    while (next_line()) read_row();
    problems_.throw_if_any();  // A wrong row would make dependencies on it look wrong.
    return builder_.finish("deps");
  }

 private:
  static constexpr const char* kHeaderRemedy =
      "begin with a line like cycle,src,dst,flits,class,id,deps";

  /// Advances to the next line that says something.
  bool next_line() {
    while (std::getline(in_, line_)) {
      ++line_number_;
      const std::size_t first = line_.find_first_not_of(" \t\r");
      if (first != std::string::npos && line_[first] != '#') return true;
    }
    return false;
  }

  void add_problem(int column, std::string key, std::string what, std::string remedy) {
    problems_.add(
        {{file_, line_number_, column}, std::move(key), std::move(what), std::move(remedy)});
  }

  void read_header() {
    const std::vector<Field> names = split(line_, 1, ",");
    field_count_ = names.size();
    for (std::size_t position = 0; position < names.size(); ++position) {
      read_column_name(names[position], position);
    }
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (kRules[column].required && !positions_[column]) {
        add_problem(1, kRules[column].name, "this column is missing", kHeaderRemedy);
      }
    }
    if (positions_[kDeps] && !positions_[kId]) {
      add_problem(1, "deps", "dependencies need ids to point to", "add a column id");
    }
  }

  void read_column_name(const Field& name, std::size_t position) {
    const auto rule = std::find_if(kRules.begin(), kRules.end(), [&](const ColumnRule& known) {
      return name.text == known.name;
    });
    if (rule == kRules.end()) {
      add_problem(name.column, std::string(name.text), "unknown column",
                  "use cycle, src, dst, flits, class, id, deps");
      return;
    }
    std::optional<std::size_t>& place = positions_[static_cast<std::size_t>(rule - kRules.begin())];
    if (place) add_problem(name.column, rule->name, "this column comes twice", "remove one");
    place = position;
  }

  void read_row() {
    const std::vector<Field> fields = split(line_, 1, ",");
    if (fields.size() != field_count_) {
      add_problem(1, "", fmt::format("{} fields under {} columns", fields.size(), field_count_),
                  "give one field for each column");
      return;
    }
    const auto cycle = number(fields, kCycle);
    const auto source = number(fields, kSource);
    const auto destination = number(fields, kDestination);
    const auto flits = number(fields, kFlits);
    const auto id = positions_[kId] ? number(fields, kId) : next_id_++;
    const auto deps = dependencies(fields);
    if (!cycle || !source || !destination || !flits || !id || !deps) return;
    const TracePacket packet{Cycle{*cycle}, NodeId{static_cast<std::uint32_t>(*source)},
                             NodeId{static_cast<std::uint32_t>(*destination)},
                             static_cast<std::uint32_t>(*flits),
                             static_cast<std::uint64_t>(line_number_)};
    add(*id, packet, *deps);
  }

  void add(std::uint64_t id, const TracePacket& packet, const std::vector<std::uint64_t>& deps) {
    if (const auto other = builder_.add(id, packet)) {
      add_problem(1, "id", fmt::format("{} is already the packet of line {}", id, other->origin),
                  "give every packet an id of its own");
      return;
    }
    for (const std::uint64_t dependency : deps) builder_.last_waits_for(dependency);
  }

  std::optional<std::uint64_t> number(const std::vector<Field>& fields, Column column) {
    return parse(fields[*positions_[column]], kRules[column]);
  }

  std::optional<std::vector<std::uint64_t>> dependencies(const std::vector<Field>& fields) {
    std::vector<std::uint64_t> ids;
    if (!positions_[kDeps]) return ids;
    bool good = true;
    const Field& all = fields[*positions_[kDeps]];
    for (const Field& field : split(all.text, all.column, "; \t")) {
      if (field.text.empty()) continue;
      const std::optional<std::uint64_t> id = parse(field, kRules[kDeps]);
      good = good && id;
      if (id) ids.push_back(*id);
    }
    if (!good) return std::nullopt;
    return ids;
  }

  /// A whole number within the column's bounds; otherwise a problem.
  std::optional<std::uint64_t> parse(const Field& field, const ColumnRule& rule) {
    std::uint64_t value = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error == std::errc{} && stop == end && value >= rule.least && value <= rule.most) {
      return value;
    }
    add_problem(field.column, rule.name,
                fmt::format("\"{}\" is not a whole number from {} to {}", field.text, rule.least,
                            rule.most),
                "write such a number");
    return std::nullopt;
  }

  std::istream& in_;
  const std::string file_;
  TraceBuilder builder_;
  ProblemList problems_;
  std::string line_;
  int line_number_ = 0;
  std::size_t field_count_ = 0;
  std::array<std::optional<std::size_t>, kColumns> positions_{};  ///< In a row, by column.
  std::uint64_t next_id_ = 0;                                     ///< For files without ids.
};

/// Reads packets from comma-separated text.
///
///   # all-to-one, then the answer
///   cycle, src, dst, flits, id, deps
///   0,     1,   0,   5,     10,
///   0,     2,   0,   5,     11,
///   40,    0,   1,   1,     12,  10;11
///
/// The first line names the columns, in any order; the rows need not be sorted. Blank lines and
/// lines that start with # are skipped.
///
///   cycle   not created before, 0 to kMaxTraceCycle
///   src     node, 0 to 2^32 - 1
///   dst     node, 0 to 2^32 - 1
///   flits   length, 1 to kMaxPacketLength
///   id      optional: a number that no other row has, below 2^64
///   deps    optional, needs id: ids of the packets that must have arrived, parted by `;` or blanks
///   class   optional: for the reader; the network knows no message classes
///
/// @param file  For messages. All faults are thrown as one ConfigError with line, column and
///              remedy.
Trace read_csv_trace(std::istream& in, const std::string& file, const Section&) {
  return CsvReader(in, file).read();
}

}  // namespace

TraceFormatEntry csv_trace_format() {
  return {"csv",
          "one packet a line: cycle,src,dst,flits[,class,id,deps]",
          {},
          read_csv_trace,
          {"file: trace.csv"}};
}

}  // namespace flitcast
