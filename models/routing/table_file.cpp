// SPDX-License-Identifier: Apache-2.0
// Reads and writes the tables of RoutingTable.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "base/sequences.h"
#include "config/csv.h"
#include "config/text_file.h"
#include "config/wording.h"
#include "config/yaml_file.h"
#include "routing/catalog.h"
#include "routing/routing_table.h"
#include "topology/adjacency.h"
#include "topology/router_names.h"

namespace flitcast {
namespace {

constexpr std::array kColumns{"router", "input", "vc",     "destination", "output",
                              "next",   "vcs",   "weight", "priority"};

bool is_yaml(const std::string& path) {
  const std::filesystem::path ending = std::filesystem::path(path).extension();
  return ending == ".yaml" || ending == ".yml";
}

/// The words of a line of a table by column; columns without a word are absent.
struct TableRecord {
  int line = 0;
  std::map<std::string, std::string> words;
};

class TableReader {
 public:
  TableReader(std::string file, const Topology& topology, std::size_t virtual_channels)
      : file_(std::move(file)),
        topology_(topology),
        vcs_(virtual_channels),
        adjacency_(topology),
        routers_(topology) {}

  RoutingTable read(const std::string& text, OutputSelection selection, bool everywhere) {
    if (is_yaml(file_)) {
      read_yaml_records(read_yaml_file(text, file_, problems_));
    } else {
      read_csv_records(text);
    }
    std::vector<TableLine> lines;
    for (const TableRecord& record : records_) {
      problems_.attempt([&] { lines.push_back(line_of(record)); });
    }
    problems_.throw_if_any();
    return RoutingTable(topology_, lines,
                        {vcs_, choice_of_records(), selection, file_, everywhere});
  }

 private:
  void read_csv_records(const std::string& text) {
    std::istringstream input(text);
    const std::vector<CsvRecord> rows = read_csv(input, file_);
    if (rows.empty()) fail({file_, 1, 0}, "the table is empty", "begin with a line of columns");
    const std::vector<std::string>& columns = rows.front().fields;
    check_columns(columns, 1);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      const CsvRecord& row = rows[r];
      TableRecord record{static_cast<int>(row.line), {}};
      if (row.fields.size() != columns.size()) {
        add_problem(record.line,
                    "the line has " + std::to_string(row.fields.size()) + " fields instead of " +
                        std::to_string(columns.size()),
                    "give every column of the first line a field, empty or not");
        continue;
      }
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!row.fields[c].empty()) record.words[columns[c]] = row.fields[c];
      }
      records_.push_back(std::move(record));
    }
  }

  void read_yaml_records(const YamlValue& table) {
    if (table.items.empty()) {
      fail({file_, 1, 0}, "the table is no list, or empty", "write a list of maps from columns");
    }
    for (const YamlValue& item : table.items) {
      TableRecord record{item.place.line, {}};
      if (item.kind != YamlValue::Kind::kMap) {
        add_problem(record.line, "the item is no map", "write {router: 0, destination: 1, ...}");
        continue;
      }
      std::vector<std::string> columns;
      for (const YamlEntry& entry : item.entries) {
        columns.push_back(entry.key);
        const std::string words = words_of(entry);
        if (!words.empty()) record.words[entry.key] = words;
      }
      check_columns(columns, record.line);
      records_.push_back(std::move(record));
    }
  }

  /// The words of a scalar, or of the items of a list.
  std::string words_of(const YamlEntry& column) {
    std::string words = column.value.text;
    bool plain = column.value.kind != YamlValue::Kind::kMap;
    for (const YamlValue& item : column.value.items) {
      words += (words.empty() ? "" : " ") + item.text;
      plain = plain && item.kind == YamlValue::Kind::kScalar;
    }
    if (!plain) {
      add_problem(column.place.line, quoted(column.key) + " has maps or lists inside",
                  "write a word, a number, or a list of them");
    }
    return words;
  }

  void check_columns(const std::vector<std::string>& columns, int line) {
    for (auto column = columns.begin(); column != columns.end(); ++column) {
      if (!contains(kColumns, *column)) {
        add_problem(line, "there is no column " + quoted(*column),
                    "choose from " + listed({kColumns.begin(), kColumns.end()}));
      }
      if (std::find(columns.begin(), column, *column) != column) {
        add_problem(line, "the column " + quoted(*column) + " comes twice", "keep one of them");
      }
    }
  }

  TableChoice choice_of_records() const {
    const auto has = [&](const char* column) {
      return any_of(records_, [&](auto& record) { return record.words.count(column) != 0; });
    };
    if (has("weight") && has("priority")) {
      fail({file_, 1, 0}, "the table has weights and priorities",
           "keep one of them: sources draw by weights, routers choose by priorities");
    }
    if (has("weight")) return TableChoice::kWeights;
    return has("priority") ? TableChoice::kPriorities : TableChoice::kNone;
  }

  TableLine line_of(const TableRecord& record) const {
    TableLine line;
    line.number = record.line;
    line.router = router_of(record, "router");
    if (record.words.count("input") != 0) {
      line.input = to_id<PortId>(number(record, "input", topology_.input_count(line.router)));
    }
    if (record.words.count("vc") != 0) line.vc = to_id<VcId>(number(record, "vc", vcs_));
    line.destinations = set_of(record, "destination", topology_.node_count());
    line.output.port = output_of(record, line.router);
    line.output.vcs = vc_range(0, vcs_);
    if (record.words.count("vcs") != 0) {
      line.output.vcs = 0;
      const std::vector<bool> vcs = set_of(record, "vcs", vcs_);
      for (std::size_t v = 0; v < vcs_; ++v) line.output.vcs |= VcSet{vcs[v]} << v;
    }
    if (record.words.count("weight") != 0) {
      line.output.weight =
          static_cast<std::uint16_t>(number(record, "weight", RoutingTable::kMostChoices + 1, 1));
    }
    if (record.words.count("priority") != 0) {
      line.output.priority = static_cast<std::uint8_t>(number(record, "priority", 255));
    }
    return line;
  }

  const std::string& word(const TableRecord& record, const std::string& column) const {
    const auto found = record.words.find(column);
    if (found != record.words.end()) return found->second;
    fail({file_, record.line, 0}, "the line has no " + column,
         "lines need router, destination, and output or next");
  }

  RouterId router_of(const TableRecord& record, const std::string& column) const {
    const std::string& name = word(record, column);
    if (const auto found = routers_.find(name)) return *found;
    fail({file_, record.line, 0}, "there is no router " + quoted(name), routers_.hint_for(name));
  }

  /// A number from `least` to below `end`.
  std::size_t number(const TableRecord& record, const std::string& column, std::size_t end,
                     std::size_t least = 0) const {
    const std::string& text = word(record, column);
    const auto value = number_in<std::size_t>(text);
    if (value && *value >= least && *value < end) return *value;
    fail({file_, record.line, 0}, quoted(text) + " is no " + column,
         "write a number from " + std::to_string(least) + " to " + std::to_string(end - 1));
  }

  /// "0-3 7" or "*".
  std::vector<bool> set_of(const TableRecord& record, const std::string& column,
                           std::size_t end) const {
    const std::string& text = word(record, column);
    if (text == "*") return std::vector<bool>(end, true);
    std::vector<bool> set(end);
    const std::vector<std::string> parts = words_in(text);
    for (const std::string& part : parts) {
      const std::size_t dash = std::min(part.find('-'), part.size());
      const auto first = number_in<std::size_t>(part.substr(0, dash));
      const auto last = dash < part.size() ? number_in<std::size_t>(part.substr(dash + 1)) : first;
      if (!first || !last || *first > *last || *last >= end) refuse_set(record, column, part, end);
      std::fill(set.begin() + static_cast<std::ptrdiff_t>(*first),
                set.begin() + static_cast<std::ptrdiff_t>(*last) + 1, true);
    }
    if (parts.empty()) refuse_set(record, column, text, end);
    return set;
  }

  [[noreturn]] void refuse_set(const TableRecord& record, const std::string& column,
                               const std::string& part, std::size_t end) const {
    fail({file_, record.line, 0}, quoted(part) + " is no " + column,
         "write numbers or ranges such as 0-3 from 0 to " + std::to_string(end - 1) + ", or *");
  }

  /// The port that `output` names, or the lowest that leads to the router `next`.
  PortId output_of(const TableRecord& record, RouterId router) const {
    if (record.words.count("next") == 0) {
      return to_id<PortId>(number(record, "output", topology_.output_count(router)));
    }
    if (record.words.count("output") != 0) {
      fail({file_, record.line, 0}, "the line has output and next", "keep one of them");
    }
    const RouterId next = router_of(record, "next");
    for (const PortId port : topology_.outputs(router)) {
      const std::uint32_t channel = adjacency_.leaving(router, port);
      if (channel == Adjacency::kNone) continue;
      if (topology_.channels()[channel].to.router == next) return port;
    }
    fail({file_, record.line, 0},
         "no link leads from router " + printable(topology_.router_name(router)) + " to router " +
             printable(topology_.router_name(next)),
         "its neighbours are " + routers_.neighbours(router));
  }

  void add_problem(int line, std::string what, std::string hint) {
    problems_.add({{file_, line, 0}, "", std::move(what), std::move(hint)});
  }

  std::string file_;
  const Topology& topology_;
  std::size_t vcs_;
  const Adjacency adjacency_;
  const RouterNames routers_;
  std::vector<TableRecord> records_;
  ProblemList problems_;
};

}  // namespace

RoutingTable read_routing_table(const std::string& path, const Topology& topology,
                                std::size_t virtual_channels, OutputSelection selection,
                                bool everywhere) {
  std::ifstream input(path);
  if (!input || std::filesystem::is_directory(path)) {
    fail({path, 0, 0}, "cannot be read", "name a routing table in CSV or YAML");
  }
  const std::optional<std::string> text = read_text(input);
  if (!text) fail({path, 0, 0}, "exceeds 64 MiB", "use ranges of destinations");
  return TableReader(path, topology, virtual_channels).read(*text, selection, everywhere);
}

namespace {

/// The columns output, vcs and priority of the lines of an entry.
using TableOutputs = std::vector<std::vector<std::string>>;

/// Follows the packets of a routing and writes down the lines that lead them.
class TableWriter {
 public:
  TableWriter(const Topology& topology, const Routing& routing, std::size_t virtual_channels,
              bool yaml)
      : topology_(topology),
        routing_(routing),
        vcs_(virtual_channels),
        yaml_(yaml),
        adjacency_(topology) {
    if (routing.adaptive()) columns_.emplace_back("priority");
  }

  std::string text() {
    require_table();
    for (const NodeId node : topology_.nodes()) add_lines_to(node);
    std::string text = yaml_ ? "" : line(columns_);
    for (const auto& [key, entries] : lines_) write(key, entries, text);
    return text;
  }

 private:
  /// A router, an input and a VC, or "" for all of them.
  using Key = std::tuple<std::uint32_t, std::string, std::string>;
  using Entries = std::vector<std::pair<std::size_t, TableOutputs>>;
  struct Arrival {
    Endpoint at;
    unsigned vc = 0;
  };
  /// The outputs of one destination at a router, by input and VC of the arrival.
  using ByArrival = std::map<std::pair<std::uint32_t, unsigned>, TableOutputs>;

  void require_table() const {
    const auto refuse = [](const char* reason) { throw std::invalid_argument(reason); };
    if (routing_.multicast()) refuse("packets leave by several outputs at once");
    if (routing_.message_classes() > 1)
      refuse("classes of messages have virtual channels of their own");
    if (routing_.tie_dimensions() > 0) refuse("sources toss coins for the directions of packets");
    if (routing_.most_choices() > 1) refuse("sources draw the paths of packets");
    for (const NodeId from : topology_.nodes()) {
      for (const NodeId to : topology_.nodes()) {
        if (routing_.injection_vcs(from, to) == vc_range(0, vcs_)) continue;
        refuse("packets begin on some of the virtual channels only");
      }
    }
  }

  void add_lines_to(NodeId node) {
    std::map<std::uint32_t, ByArrival> found;
    std::vector<Arrival> open;
    for (const Attachment& source : topology_.attachments()) {
      for (unsigned vc = 0; vc < vcs_; ++vc) open.push_back({source.injection, vc});
    }
    while (!open.empty()) {
      const Arrival here = open.back();
      open.pop_back();
      ByArrival& router = found[index(here.at.router)];
      const auto [entry, is_new] = router.try_emplace({index(here.at.port), here.vc});
      if (is_new) entry->second = outputs(here, node, open);
    }
    for (const auto& [router, by_arrival] : found) add_lines(router, index(node), by_arrival);
  }

  TableOutputs outputs(const Arrival& here, NodeId node, std::vector<Arrival>& open) const {
    Alternatives all;
    routing_.alternatives({here.at.router, here.at.port, to_id<VcId>(here.vc), node}, all);
    if (all.drawn() > 0) throw std::invalid_argument("routers weigh outputs by their queues");
    std::uint8_t lowest = 255;
    for (const Alternative& one : all) lowest = std::min(lowest, one.priority);
    TableOutputs outputs;
    for (const Alternative& one : all) {
      if (one.route_field != 0 || one.waits != (one.priority == lowest)) {
        throw std::invalid_argument("packets carry more than their destination");
      }
      outputs.push_back({std::to_string(index(one.output)), vcs_text(one.vcs)});
      if (routing_.adaptive()) outputs.back().push_back(std::to_string(one.priority));
      const std::uint32_t channel = adjacency_.leaving(here.at.router, one.output);
      if (channel == Adjacency::kNone) continue;
      for (const VcId vc : EachVc(one.vcs)) {
        open.push_back({topology_.channels()[channel].to, static_cast<unsigned>(index(vc))});
      }
    }
    return outputs;
  }

  // A line with these fields, one for each column.
  std::string line(const std::vector<std::string>& fields) const {
    std::string text;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string& field = fields[c];
      if (!yaml_) {
        const bool plain = field.find_first_of(",\"") == std::string::npos;
        text += (c == 0 ? "" : ",") + (plain ? field : in_quotes(field, '"'));
      } else if (!field.empty()) {
        const bool plain = number_in<std::size_t>(field).has_value();
        text +=
            (c == 0 ? "- {" : ", ") + columns_[c] + ": " + (plain ? field : in_quotes(field, '\''));
      }
    }
    return text + (yaml_ ? "}\n" : "\n");
  }

  // Both forms double the quotes inside.
  static std::string in_quotes(const std::string& name, char quote) {
    return quote + all_replaced(name, {quote}, {quote, quote}) + quote;
  }

  std::string vcs_text(VcSet vcs) const {
    if (vcs == vc_range(0, vcs_)) return "*";
    return joined(mapped(EachVc(vcs), [](const VcId vc) { return std::to_string(index(vc)); }),
                  " ");
  }

  // True if arrivals that `same` calls alike have the same outputs.
  template <class Same>
  static bool decides(const ByArrival& all, const Same& same) {
    std::map<std::uint32_t, const TableOutputs*> first;
    return all_of(all, [&](const auto& one) {
      return *first.try_emplace(same(one.first), &one.second).first->second == one.second;
    });
  }

  // Names the input or the VC only if the outputs depend on them.
  void add_lines(std::uint32_t router, std::size_t node, const ByArrival& all) {
    const bool free = decides(all, [](auto&) { return 0U; });
    const bool by_input = !free && decides(all, [](auto& at) { return at.first; });
    const bool by_vc = !free && !by_input && decides(all, [](auto& at) { return at.second; });
    for (const auto& [at, outputs] : all) {
      const Key key{router, free || by_vc ? "" : std::to_string(at.first),
                    free || by_input ? "" : std::to_string(at.second)};
      Entries& entries = lines_[key];
      if (entries.empty() || entries.back().first != node) entries.emplace_back(node, outputs);
    }
  }

  void write(const Key& key, const Entries& entries, std::string& text) const {
    const auto& [router, input, vc] = key;
    for (auto first = entries.begin(); first != entries.end();) {
      auto last = first;
      while (last + 1 != entries.end() && (last + 1)->first == last->first + 1 &&
             (last + 1)->second == first->second) {
        ++last;
      }
      std::string nodes = std::to_string(first->first);
      if (last != first) nodes += "-" + std::to_string(last->first);
      for (const std::vector<std::string>& output : first->second) {
        std::vector<std::string> fields{topology_.router_name(RouterId{router}), input, vc, nodes};
        fields.insert(fields.end(), output.begin(), output.end());
        text += line(fields);
      }
      first = last + 1;
    }
  }

  const Topology& topology_;
  const Routing& routing_;
  std::size_t vcs_;
  bool yaml_;
  std::vector<std::string> columns_{"router", "input", "vc", "destination", "output", "vcs"};
  const Adjacency adjacency_;
  std::map<Key, Entries> lines_;
};

std::unique_ptr<Routing> make_table(const Section& section, const RoutingContext& context) {
  return std::make_unique<RoutingTable>(read_routing_table(
      section.path("file"), context.topology, context.virtual_channels, selection_of(section)));
}

}  // namespace

std::string routing_table_text(const Topology& topology, const Routing& routing,
                               std::size_t virtual_channels, const std::string& path) {
  return TableWriter(topology, routing, virtual_channels, is_yaml(path)).text();
}

RoutingEntry table_routing() {
  return {"table",
          "On any topology: a table of one's own, with weights or priorities. VCs as it says.",
          {Param::file("file",
                       "Routing table in CSV, or as a YAML list of maps, with columns router, "
                       "destination, output or next, and "
                       "optionally input, vc, vcs, and weight or "
                       "priority; `flitcast export routing` writes one."),
           selection_param()},
          accepts<Topology>(),
          make_table};
}

}  // namespace flitcast
