// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flit.h"
#include "base/sequences.h"
#include "config/csv.h"
#include "config/problem.h"
#include "config/text_file.h"
#include "config/wording.h"
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

class CsvReader {
 public:
  CsvReader(std::istream& in, const std::string& file)
      : file_(file), lines_(in, file_), builder_(file, Trace::Unit::kLine) {}

  Trace read() {
    if (!next_content(lines_)) fail({file_, 0, 0}, "no header", kHeaderHint);
    read_header();
    problems_.throw_if_any();  // Without valid column names every row would be wrong.
    while (next_content(lines_)) read_row();
    problems_.throw_if_any();  // A wrong row would make dependencies on it look wrong.
    Trace trace = builder_.finish("deps");
    if (positions_[kClass]) {
      trace.notes.emplace_back("the column class is not used: the network has no message classes");
    }
    return trace;
  }

 private:
  static constexpr const char* kHeaderHint =
      "begin with a line like cycle,src,dst,flits,class,id,deps";

  const std::string& line() const { return lines_.line(); }

  void add_problem(int column, std::string key, std::string what, std::string hint) {
    problems_.add(
        {{file_, lines_.number(), column}, std::move(key), std::move(what), std::move(hint)});
  }

  void read_header() {
    const std::vector<CsvField> names = split_fields(line());
    field_count_ = names.size();
    for (std::size_t position = 0; position < names.size(); ++position) {
      read_column_name(names[position], position);
    }
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (kRules[column].required && !positions_[column]) {
        add_problem(1, kRules[column].name, "this column is missing", kHeaderHint);
      }
    }
    if (positions_[kDeps] && !positions_[kId]) {
      add_problem(1, "deps", "dependencies need ids to point to", "add a column id");
    }
  }

  void read_column_name(const CsvField& name, std::size_t position) {
    const ColumnRule* const rule =
        first_where(kRules, [&](const ColumnRule& known) { return name.text == known.name; });
    if (rule == nullptr) {
      return add_problem(name.column, printable(std::string(name.text)), "unknown column",
                         "use cycle, src, dst, flits, class, id, deps");
    }
    std::optional<std::size_t>& place = positions_[static_cast<std::size_t>(rule - kRules.data())];
    if (place) add_problem(name.column, rule->name, "this column comes twice", "remove one");
    place = position;
  }

  void read_row() {
    const std::vector<CsvField> fields = split_fields(line());
    if (fields.size() != field_count_) {
      return add_problem(1, "",
                         fmt::format("{} fields under {} columns", fields.size(), field_count_),
                         "give one field for each column");
    }
    const auto cycle = number(fields, kCycle);
    const auto source = number(fields, kSource);
    const auto destination = number(fields, kDestination);
    const auto flits = number(fields, kFlits);
    const auto id = positions_[kId] ? number(fields, kId) : next_id_++;
    const auto deps = dependencies(fields);
    if (!cycle || !source || !destination || !flits || !id || !deps) return;
    const TraceTask packet{Cycle{*cycle},
                           to_id<NodeId>(*source),
                           to_id<NodeId>(*destination),
                           static_cast<std::uint32_t>(*flits),
                           column(fields, kSource),
                           column(fields, kDestination),
                           static_cast<std::uint64_t>(lines_.number())};
    if (const auto other = builder_.add(*id, packet)) {
      return add_problem(column(fields, kId), "id",
                         fmt::format("{} is already the packet of line {}", *id, other->origin),
                         "give every packet an id of its own");
    }
    for (const Dependency& dependency : *deps) {
      builder_.last_waits_for(dependency.id, dependency.column);
    }
  }

  /// The column at which the field starts in the line; 0 (unknown) if the column number is too
  /// large.
  std::uint16_t column(const std::vector<CsvField>& fields, Column column) const {
    const int start = fields[*positions_[column]].column;
    return start <= std::numeric_limits<std::uint16_t>::max() ? static_cast<std::uint16_t>(start)
                                                              : std::uint16_t{0};
  }

  std::optional<std::uint64_t> number(const std::vector<CsvField>& fields, Column column) {
    return parse(fields[*positions_[column]], kRules[column]);
  }

  struct Dependency {
    std::uint64_t id = 0;
    int column = 0;
  };

  std::optional<std::vector<Dependency>> dependencies(const std::vector<CsvField>& fields) {
    std::vector<Dependency> ids;
    if (!positions_[kDeps]) return ids;
    bool good = true;
    const CsvField& all = fields[*positions_[kDeps]];
    for (const CsvField& field : split_fields(all.text, all.column, "; \t")) {
      if (field.text.empty()) continue;
      const std::optional<std::uint64_t> id = parse(field, kRules[kDeps]);
      good = good && id;
      if (id) ids.push_back({*id, field.column});
    }
    if (!good) return std::nullopt;
    return ids;
  }

  /// An integer within the bounds of the column; otherwise reports a problem.
  std::optional<std::uint64_t> parse(const CsvField& field, const ColumnRule& rule) {
    const std::string text(field.text);
    const auto value = number_in<std::uint64_t>(text);
    if (value && *value >= rule.least && *value <= rule.most) return value;
    add_problem(
        field.column, rule.name,
        fmt::format("{} is not a whole number from {} to {}", quoted(text), rule.least, rule.most),
        "write such a number");
    return std::nullopt;
  }

  const std::string file_;
  LineReader lines_;
  TraceBuilder builder_;
  ProblemList problems_;
  std::size_t field_count_ = 0;
  /// By column: its position in a row.
  std::array<std::optional<std::size_t>, kColumns> positions_{};
  std::uint64_t next_id_ = 0;  ///< The next id in files without ids.
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
///   cycle   earliest creation, 0 to kMaxTraceCycle
///   src     node, 0 to 2^32 - 1
///   dst     node, 0 to 2^32 - 1
///   flits   length, 1 to kMaxPacketLength
///   id      optional: a unique number below 2^64
///   deps    optional, needs id: ids of the packets that must have arrived, separated by `;` or
///           blanks
///   class   optional: ignored, with a note that the network has no message classes
///
/// All errors are thrown as one ConfigError with line, column and hint.
Trace read_csv_trace(const std::string& path, const Section& workload) {
  const auto in = open_trace_file(path, workload);
  return CsvReader(*in, path).read();
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
