// SPDX-License-Identifier: Apache-2.0
// The pattern `matrix`: the rates of all pairs of nodes, from a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/sequences.h"
#include "config/csv.h"
#include "config/wording.h"
#include "traffic/pattern.h"

namespace flitcast {
namespace {

constexpr const char* kForms =
    "write one row of rates for each node, or the header source,destination,rate and a flow a line";

struct Flow {
  std::uint32_t destination = 0;
  int line = 0;     ///< The line of the flow in the file.
  double rate = 0;  ///< Flits per cycle.
};

/// The flows of a node to distinct destinations, in ascending order.
using Flows = std::vector<Flow>;

/// Reads the flows of all nodes and collects the problems of the file.
class MatrixReader {
 public:
  MatrixReader(std::istream& in, const std::string& file, const Topology& topology)
      : file_(file), lines_(in, file_), topology_(topology), flows_(topology.node_count()) {}

  std::vector<Flows> read() {
    if (!next_content(lines_)) flitcast::fail({file_, 0, 0}, "has no rates", kForms);
    const std::vector<CsvField> first = split_fields(lines_.line());
    if (is_header(first)) {
      while (next_content(lines_)) read_flow(split_fields(lines_.line()));
    } else {
      read_rows();
    }
    for (std::uint32_t source = 0; source < nodes(); ++source) order(source);
    problems_.throw_if_any();
    return std::move(flows_);
  }

 private:
  /// Rates above 0 that a file may have; each takes 16 bytes.
  static constexpr std::size_t kMostFlows = std::size_t{1} << 24;

  static bool is_header(const std::vector<CsvField>& fields) {
    return fields.size() == 3 && fields[0].text == "source" && fields[1].text == "destination" &&
           fields[2].text == "rate";
  }

  std::size_t nodes() const { return flows_.size(); }

  void read_rows() {
    std::size_t row = 0;
    do {
      if (row < nodes()) read_row(row, split_fields(lines_.line()));
      ++row;
    } while (next_content(lines_));
    if (row == nodes()) return;
    add_problem(0, fmt::format("{} rows for the {} nodes of {}", row, nodes(), topology_.name()),
                kForms);
  }

  void read_row(std::size_t source, const std::vector<CsvField>& fields) {
    if (fields.size() != nodes()) {
      return add_problem(
          1,
          fmt::format("{} rates for the {} nodes of {}", fields.size(), nodes(), topology_.name()),
          kForms);
    }
    for (std::size_t to = 0; to < nodes(); ++to) {
      const std::optional<double> rate = rate_in(fields[to]);
      if (rate)
        add(static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(to), *rate,
            fields[to].column);
    }
  }

  void read_flow(const std::vector<CsvField>& fields) {
    if (fields.size() != 3) {
      return add_problem(1, fmt::format("{} fields under 3 columns", fields.size()),
                         "write a source, a destination and a rate");
    }
    const auto source = node_in(fields[0]);
    const auto destination = node_in(fields[1]);
    const auto rate = rate_in(fields[2]);
    if (!source || !destination || !rate) return;
    add(*source, *destination, *rate, fields[2].column);
  }

  std::optional<std::uint32_t> node_in(const CsvField& field) {
    const auto node = number_in<std::uint32_t>(std::string(field.text));
    if (node && *node < nodes()) return node;
    add_problem(
        field.column,
        fmt::format("{} is no node of {}", quoted(std::string(field.text)), topology_.name()),
        fmt::format("use 0 to {}", nodes() - 1));
    return std::nullopt;
  }

  std::optional<double> rate_in(const CsvField& field) {
    const auto rate = number_in<double>(std::string(field.text));
    if (rate && std::isfinite(*rate) && *rate >= 0) return rate;
    add_problem(field.column, fmt::format("{} is no rate", quoted(std::string(field.text))),
                "write flits per cycle, 0 or more");
    return std::nullopt;
  }

  void add(std::uint32_t source, std::uint32_t destination, double rate, int column) {
    if (rate == 0) return;
    if (source == destination) {
      return add_problem(column, fmt::format("node {} would send to itself", source), "write 0");
    }
    if (++count_ > kMostFlows) {
      flitcast::fail({file_, lines_.number(), 0}, fmt::format("more than {} flows", kMostFlows),
                     "write a pattern in place of the matrix");
    }
    flows_[source].push_back({destination, lines_.number(), rate});
  }

  void order(std::uint32_t source) {
    Flows& flows = flows_[source];
    sort_by(flows, &Flow::destination);
    for (std::size_t f = 1; f < flows.size(); ++f) {
      if (flows[f].destination != flows[f - 1].destination) continue;
      problems_.add({{file_, flows[f].line, 1},
                     "",
                     fmt::format("the rate from {} to {} is in line {}, too", source,
                                 flows[f].destination, flows[f - 1].line),
                     "write their sum once"});
    }
  }

  void add_problem(int column, std::string what, std::string hint) {
    problems_.add({{file_, lines_.number(), column}, "", std::move(what), std::move(hint)});
  }

  const std::string file_;
  LineReader lines_;
  const Topology& topology_;
  std::vector<Flows> flows_;
  std::size_t count_ = 0;
  ProblemList problems_;
};

/// A rate for every pair of nodes. A node without flows sends at the rate 0.
class Matrix : public WeightedTable {
 public:
  using WeightedTable::WeightedTable;

  std::vector<double> rates() const override {
    return mapped(rows(), [](const Row& row) { return row.choice.sum(); });
  }
};

WeightedTable::Row row_of(const Flows& flows) {
  return {mapped(flows, [](const Flow& flow) { return NodeId{flow.destination}; }),
          WeightedChoice(mapped(flows, &Flow::rate))};
}

/// @param most  The most flits per cycle of a node.
void check_sums(const std::vector<Flows>& flows, const std::string& file, double most) {
  constexpr double kRounding = 1e-9;
  ProblemList problems;
  double all = 0;
  for (std::size_t node = 0; node < flows.size(); ++node) {
    const double sum = sum_of<double>(flows[node], &Flow::rate);
    all += sum;
    if (sum <= most * (1 + kRounding)) continue;
    problems.add({{file, flows[node].back().line, 0},
                  "",
                  fmt::format("node {} sends {:g} flits per cycle, of which its ports carry {:g}",
                              node, sum, most),
                  "lower its rates, or set workload.load, to which all are scaled"});
  }
  problems.throw_if_any();
  if (all == 0) fail({file, 0, 0}, "all rates are zero", "give some flow a rate above 0");
}

std::unique_ptr<Pattern> make_matrix(const Section& workload, const Topology& topology) {
  const std::string path = workload.path("matrix");
  std::ifstream in(path);
  in.peek();
  if (!in.is_open() || in.bad()) {  // A folder opens but cannot be read.
    workload.fail("matrix", "cannot read " + quoted(path), "name a file with the rates");
  }
  const std::vector<Flows> flows = MatrixReader(in, path, topology).read();
  const bool scaled = workload.has("load") && workload.number("load") > 0;
  check_sums(flows, path,
             scaled ? std::numeric_limits<double>::infinity()
                    : static_cast<double>(topology.node_ports()));
  return std::make_unique<Matrix>(mapped(flows, row_of));
}

}  // namespace

PatternEntry matrix_pattern() {
  return {{"matrix",
           "the rate of every source and destination, from a file",
           {Param::file("matrix",
                        "CSV of flits per cycle: a row for each source with a column for each "
                        "destination, or lines under the header source,destination,rate.")},
           make_matrix,
           {"matrix: matrix.csv"}},
          true};
}

}  // namespace flitcast
