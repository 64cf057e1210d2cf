// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>

#include "base/flit.h"
#include "collective/catalog.h"
#include "sim/commands/command.h"
#include "sim/experiment/model.h"

namespace flitcast {

namespace {

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

/// Ranks the algorithms for one point of a sweep, at the message lengths of its tables; see
/// show_comparison().
class Comparison {
 public:
  /// @param sweep  Must outlive the comparison.
  /// @param point  A point of the sweep; the other algorithms replace its algorithm.
  Comparison(const Sweep& sweep, std::size_t point, std::vector<std::uint32_t> lengths)
      : sweep_(sweep), point_(point), lengths_(std::move(lengths)) {
    const Configuration own = sweep.point(point);
    check_collective(own);
    json_["title"] = title_of(own, make_unplayed(own));
    for (const char* list : {"lengths", "fastest", "left_out"}) json_[list] = ordered_json::array();
    const Operation operation = operation_named(own.section("workload").text("operation"));
    for (const CollectiveEntry& entry : collectives()) {
      if (entry.carries_out(operation) && fits(entry.name)) algorithms_.emplace_back(entry.name);
    }
    if (algorithms_.empty()) return;
    for (const std::uint32_t length : lengths_) {
      json_["lengths"].push_back({{"length", length}, {"ranking", ranking(length)}});
    }
    const std::vector<std::uint32_t> powers = powers_of_two();
    add_fastest(1);
    for (std::size_t i = 1; i < powers.size(); ++i) find_fastest(powers[i - 1], powers[i]);
  }

  /// The title; `lengths`, the rankings, each with the algorithms that are the fastest first and
  /// the lengths at which the order of a row and the next changes (the next one becomes the faster
  /// at the first, this one at the second, and so on); `fastest`, the algorithm that is the fastest
  /// from a length on; `left_out`, the algorithms that are not applicable here, or whose time is
  /// unknown.
  const ordered_json& json() const { return json_; }

 private:
  struct Time {
    std::uint64_t cycles = 0;  ///< Analytic time.
    std::uint64_t rounds = 0;
    std::uint64_t shared = 1;  ///< Most messages of a round on a channel.
  };

  Configuration configuration(const std::string& algorithm, std::uint32_t length) const {
    return sweep_.variation(point_, {{kAlgorithm, algorithm}, {kLength, std::to_string(length)}});
  }

  /// Tries the algorithm at every length of a table; false, with a reason in `left_out`, if it does
  /// not fit.
  bool fits(const std::string& algorithm) {
    try {
      for (const std::uint32_t length : lengths_) {
        const Configuration tried = configuration(algorithm, length);
        make_model(tried, false);
        if (!time(algorithm, length)) return leave_out(algorithm, "no analytic time is known");
      }
      return true;
    } catch (const ConfigError& error) {
      const Problem& problem = error.problems().front();
      return leave_out(algorithm, problem.key + ": " + problem.what);
    }
  }

  bool leave_out(const std::string& algorithm, const std::string& reason) {
    json_["left_out"].push_back({{"algorithm", algorithm}, {"reason", reason}});
    return false;
  }

  /// The time of the algorithm; absent if it is unknown.
  const std::optional<Time>& time(const std::string& algorithm, std::uint32_t length) {
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

  /// The cycles of the algorithm; the largest number if they are unknown.
  std::uint64_t cycles(std::size_t algorithm, std::uint32_t length) {
    const std::optional<Time>& known = time(algorithms_[algorithm], length);
    return known ? known->cycles : std::numeric_limits<std::uint64_t>::max();
  }

  // Between equally fast algorithms the first of the catalog counts as faster.
  bool is_faster(std::size_t one, std::size_t other, std::uint32_t length) {
    const std::uint64_t a = cycles(one, length);
    const std::uint64_t b = cycles(other, length);
    return a < b || (a == b && one < other);
  }

  std::size_t fastest_at(std::uint32_t length) {
    std::size_t best = 0;
    for (std::size_t a = 1; a < algorithms_.size(); ++a) {
      if (is_faster(a, best, length)) best = a;
    }
    return best;
  }

  std::vector<std::uint32_t> changes(std::size_t one, std::size_t other) {
    const std::vector<std::uint32_t> powers = powers_of_two();
    const auto faster = [&](std::uint32_t length) { return is_faster(one, other, length); };
    std::vector<std::uint32_t> changes;
    for (std::size_t i = 1; i < powers.size(); ++i) {
      if (faster(powers[i - 1]) == faster(powers[i])) continue;
      changes.push_back(last_before_change(powers[i - 1], powers[i], faster) + 1);
    }
    return changes;
  }

  void add_fastest(std::uint32_t from) {
    json_["fastest"].push_back(
        {{"from_length", from}, {"algorithm", algorithms_[fastest_at(from)]}});
  }

  // A third algorithm may be the fastest between the two that are fastest at the ends.
  void find_fastest(std::uint32_t begin, std::uint32_t end) {
    const std::size_t first = fastest_at(begin);
    if (fastest_at(end) == first) return;
    const std::uint32_t last = last_before_change(
        begin, end, [&](std::uint32_t length) { return fastest_at(length) == first; });
    add_fastest(last + 1);
    find_fastest(last + 1, end);
  }

  ordered_json ranking(std::uint32_t length) {
    std::vector<std::size_t> order(algorithms_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return is_faster(a, b, length); });
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::string& algorithm = algorithms_[order[i]];
      const Time& time = *this->time(algorithm, length);
      rows.push_back({{"algorithm", algorithm},
                      {"analytic_cycles", time.cycles},
                      {"rounds", time.rounds},
                      {"link_load", time.shared},
                      {"changes_with_next_at", ordered_json::array()}});
      if (i + 1 < order.size()) {
        rows.back()["changes_with_next_at"] = changes(order[i], order[i + 1]);
      }
    }
    return rows;
  }

  const Sweep& sweep_;
  const std::size_t point_;
  const std::vector<std::uint32_t> lengths_;
  std::vector<std::string> algorithms_;  // The algorithms that fit, in the order of the catalog.
  std::map<std::pair<std::string, std::uint32_t>, std::optional<Time>> times_;
  ordered_json json_;
};

std::string text_of(const ordered_json& comparison) {
  constexpr const char* kLine = "  {:<22} {:>10} {:>7} {:>7}  {}";
  std::string text = cell(comparison, "title") + "\n";
  bool any_shared = false;
  for (const ordered_json& table : comparison.at("lengths")) {
    text += fmt::format(kLine, counted(table.at("length").get<std::int64_t>(), "flit"), "cycles",
                        "rounds", "shared", "order changes with the next at\n");
    for (const ordered_json& row : table.at("ranking")) {
      const auto changes = row.at("changes_with_next_at").get<std::vector<std::uint32_t>>();
      text += fmt::format(kLine, cell(row, "algorithm"), cell(row, "analytic_cycles"),
                          cell(row, "rounds"), cell(row, "link_load"),
                          fmt::format("{}", fmt::join(changes, ", ")));
      any_shared |= row.at("link_load").get<std::uint64_t>() > 1;
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n";
    }
  }
  for (const ordered_json& one : comparison.at("fastest")) {
    text += fmt::format("  fastest from {:>5}     {}\n", cell(one, "from_length"),
                        cell(one, "algorithm"));
  }
  if (any_shared) {
    text += "  shared: most messages of a round on one channel; above 1 a run takes longer\n";
  }
  for (const ordered_json& one : comparison.at("left_out")) {
    text += fmt::format("  left out {}: {}\n", cell(one, "algorithm"), cell(one, "reason"));
  }
  return text;
}

}  // namespace

int show_comparison(const Sweep& sweep, std::optional<std::size_t> only, bool as_json) {
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
  ordered_json all = ordered_json::array();
  for (Group& group : groups) {
    all.push_back(Comparison(sweep, group.point, std::move(group.lengths)).json());
  }
  return print(as_json, all, [&] {
    for (const ordered_json& comparison : all) std::cout << text_of(comparison);
  });
}

}  // namespace flitcast
