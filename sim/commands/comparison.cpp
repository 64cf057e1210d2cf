// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/flit.h"
#include "collective/catalog.h"
#include "sim/experiment/model.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

constexpr const char* kAlgorithm = "workload.algorithm";
constexpr const char* kLength = "workload.length";

/// 1, 2, 4, .. up to the longest packet.
std::vector<std::uint32_t> powers_of_two() {
  std::vector<std::uint32_t> powers;
  for (std::uint32_t length = 1; length <= kMaxPacketLength; length *= 2) powers.push_back(length);
  return powers;
}

/// The last length up to `end` at which `holds` has the same value as at `begin`; it must change at
/// most once.
template <class Holds>
std::uint32_t last_before_change(std::uint32_t begin, std::uint32_t end, Holds&& holds) {
  const bool at_begin = holds(begin);
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    (holds(middle) == at_begin ? begin : end) = middle;
  }
  return begin;
}

std::string title_of(const Configuration& configuration, const Model& model) {
  return fmt::format("{}: {} on {}, {} routing, {} routers", configuration.name(),
                     configuration.section("workload").text("operation"), model.topology().name(),
                     configuration.section("routing").text("kind"),
                     configuration.section("router").text("kind"));
}

void check_collective(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (workload.has("operation") && workload.has("algorithm")) return;
  workload.fail("kind", "there are no algorithms to compare but those of collective operations",
                "write workload: {kind: collective, operation: ...}");
}

}  // namespace

Comparison::Comparison(const Sweep& sweep, std::size_t point, std::vector<std::uint32_t> lengths)
    : sweep_(sweep), point_(point), lengths_(std::move(lengths)) {
  const Configuration own = sweep.point(point);
  check_collective(own);
  title_ = title_of(own, make_unplayed(own));
  const Operation operation = operation_named(own.section("workload").text("operation"));
  for (const CollectiveEntry& entry : collectives()) {
    if (entry.carries_out(operation) && fits(entry.name)) algorithms_.emplace_back(entry.name);
  }
  if (algorithms_.empty()) return;
  for (const std::uint32_t length : lengths_) add_table(length);
  const std::vector<std::uint32_t> powers = powers_of_two();
  fastest_.push_back({1, algorithms_[fastest_at(1)]});
  for (std::size_t i = 1; i < powers.size(); ++i) find_fastest(powers[i - 1], powers[i]);
}

Configuration Comparison::configuration(const std::string& algorithm, std::uint32_t length) const {
  return sweep_.variation(point_, {{kAlgorithm, algorithm}, {kLength, std::to_string(length)}});
}

bool Comparison::fits(const std::string& algorithm) {
  try {
    for (const std::uint32_t length : lengths_) {
      const Configuration tried = configuration(algorithm, length);
      make_model(tried, false);
      if (time(algorithm, length)) continue;
      left_.push_back({algorithm, "no analytic time is known"});
      return false;
    }
    return true;
  } catch (const ConfigError& error) {
    const Problem& problem = error.problems().front();
    left_.push_back({algorithm, problem.key + ": " + problem.what});
    return false;
  }
}

const std::optional<Comparison::Time>& Comparison::time(const std::string& algorithm,
                                                        std::uint32_t length) {
  const auto [place, is_new] = times_.try_emplace({algorithm, length});
  if (!is_new) return place->second;
  ordered_json figures;
  try {
    const Configuration made = configuration(algorithm, length);
    figures = make_unplayed(made).workload->schedule_figures();
  } catch (const ConfigError&) {
    return place->second;  // The algorithm only fits at the lengths of the tables.
  }
  if (!figures.contains("analytic_cycles")) return place->second;
  Time time{figures.at("analytic_cycles"), figures.at("rounds")};
  for (const std::uint64_t load : figures.value("link_load_per_round", ordered_json::array())) {
    time.shared = std::max(time.shared, load);
  }
  return place->second = time;
}

std::uint64_t Comparison::cycles(std::size_t algorithm, std::uint32_t length) {
  const std::optional<Time>& known = time(algorithms_[algorithm], length);
  return known ? known->cycles : std::numeric_limits<std::uint64_t>::max();
}

// Between equally fast algorithms the first of the catalog counts as faster.
bool Comparison::is_faster(std::size_t one, std::size_t other, std::uint32_t length) {
  const std::uint64_t a = cycles(one, length);
  const std::uint64_t b = cycles(other, length);
  return a < b || (a == b && one < other);
}

std::size_t Comparison::fastest_at(std::uint32_t length) {
  std::size_t best = 0;
  for (std::size_t a = 1; a < algorithms_.size(); ++a) {
    if (is_faster(a, best, length)) best = a;
  }
  return best;
}

std::vector<std::uint32_t> Comparison::changes(std::size_t one, std::size_t other) {
  const std::vector<std::uint32_t> powers = powers_of_two();
  const auto faster = [&](std::uint32_t length) { return is_faster(one, other, length); };
  std::vector<std::uint32_t> changes;
  for (std::size_t i = 1; i < powers.size(); ++i) {
    if (faster(powers[i - 1]) == faster(powers[i])) continue;
    changes.push_back(last_before_change(powers[i - 1], powers[i], faster) + 1);
  }
  return changes;
}

// A third algorithm may be the fastest between the two that are fastest at the ends.
void Comparison::find_fastest(std::uint32_t begin, std::uint32_t end) {
  const std::size_t first = fastest_at(begin);
  if (fastest_at(end) == first) return;
  const std::uint32_t last = last_before_change(
      begin, end, [&](std::uint32_t length) { return fastest_at(length) == first; });
  fastest_.push_back({last + 1, algorithms_[fastest_at(last + 1)]});
  find_fastest(last + 1, end);
}

void Comparison::add_table(std::uint32_t length) {
  std::vector<std::size_t> order(algorithms_.size());
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return is_faster(a, b, length); });
  Table table{length};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Time& time = *this->time(algorithms_[order[i]], length);
    table.rows.push_back({algorithms_[order[i]], time.cycles, time.rounds, time.shared});
    if (i + 1 < order.size()) table.rows.back().changes = changes(order[i], order[i + 1]);
  }
  tables_.push_back(std::move(table));
}

ordered_json Comparison::to_json() const {
  ordered_json json{{"title", title_}, {"lengths", ordered_json::array()}};
  for (const Table& table : tables_) {
    ordered_json rows = ordered_json::array();
    for (const Row& row : table.rows) {
      rows.push_back({{"algorithm", row.algorithm},
                      {"analytic_cycles", row.cycles},
                      {"rounds", row.rounds},
                      {"link_load", row.shared},
                      {"changes_with_next_at", row.changes}});
    }
    json["lengths"].push_back({{"length", table.length}, {"ranking", std::move(rows)}});
  }
  json["fastest"] = ordered_json::array();
  for (const Fastest& one : fastest_) {
    json["fastest"].push_back({{"from_length", one.length}, {"algorithm", one.algorithm}});
  }
  json["left_out"] = ordered_json::array();
  for (const Left& one : left_) {
    json["left_out"].push_back({{"algorithm", one.algorithm}, {"reason", one.reason}});
  }
  return json;
}

std::string Comparison::text() const {
  std::string text = title_ + "\n";
  bool any_shared = false;
  for (const Table& table : tables_) {
    text += fmt::format("  {:<22} {:>10} {:>7} {:>7}  {}\n", counted(table.length, "flit"),
                        "cycles", "rounds", "shared", "order changes with the next at");
    for (const Row& row : table.rows) {
      text += fmt::format("  {:<22} {:>10} {:>7} {:>7}  {}", row.algorithm, row.cycles, row.rounds,
                          row.shared, fmt::join(row.changes, ", "));
      any_shared |= row.shared > 1;
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n";
    }
  }
  for (const Fastest& one : fastest_) {
    text += fmt::format("  fastest from {:>5}     {}\n", one.length, one.algorithm);
  }
  if (any_shared) {
    text += "  shared: most messages of a round on one channel; above 1 a run takes longer\n";
  }
  for (const Left& one : left_)
    text += fmt::format("  left out {}: {}\n", one.algorithm, one.reason);
  return text;
}

std::vector<Comparison> comparisons_of(const Sweep& sweep, std::optional<std::size_t> only) {
  struct Group {
    std::size_t point;
    std::vector<std::uint32_t> lengths;
  };
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;  // Indexed by the values of all other keys.
  for (std::size_t point = only.value_or(0); point < sweep.size(); ++point) {
    const Configuration configuration = sweep.point(point);
    check_collective(configuration);
    ordered_json values = sweep.values(configuration);
    values.erase(kAlgorithm);
    values.erase(kLength);
    const auto [place, is_new] = known.emplace(values.dump(), groups.size());
    if (is_new) groups.push_back({point, {}});
    const auto length =
        static_cast<std::uint32_t>(configuration.section("workload").count("length"));
    std::vector<std::uint32_t>& lengths = groups[place->second].lengths;
    if (std::count(lengths.begin(), lengths.end(), length) == 0) lengths.push_back(length);
    if (only) break;
  }
  std::vector<Comparison> comparisons;
  for (Group& group : groups)
    comparisons.emplace_back(sweep, group.point, std::move(group.lengths));
  return comparisons;
}

}  // namespace flitcast
