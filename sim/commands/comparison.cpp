// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <tuple>

#include "base/flit.h"
#include "base/sequences.h"
#include "collective/catalog.h"
#include "sim/commands/command.h"
#include "sim/experiment/model.h"
#include "sim/host/progress.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {

namespace {

constexpr const char* kAlgorithm = "workload.algorithm";
constexpr const char* kLength = "workload.length";

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

void check_collective(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (workload.has("operation") && workload.has("algorithm")) return;
  workload.fail("kind", "there are no algorithms to compare but those of collective operations",
                "write workload: {kind: collective, operation: ...}");
}

/// The keys of algorithms for which a comparison chooses values, and the key that replaces one.
constexpr std::array<const char*, 4> kChosen{"segments", "group", "row", "segment"};

/// The values of such a key that are tried, for an algorithm between `ranks` ranks.
std::vector<std::size_t> candidates(const std::string& key, std::size_t ranks) {
  const bool segments = key == "segments";
  const auto tried = numbers(key == "group" ? 2 : 1, (segments ? 1024 : ranks) + 1);
  return filtered(tried, [&](std::size_t value) {
    const bool divides = !segments && ranks % value == 0;
    return (value & (value - 1)) == 0 || divides;
  });
}

/// An algorithm with one of the values that are compared.
struct Variant {
  std::string key;  ///< The key whose value was chosen; empty: none.
  std::size_t value = 0;
  std::shared_ptr<const Configuration> configuration;
  Model model;
  ordered_json figures;
};

struct Candidate {
  const CollectiveEntry* entry;
  std::vector<Variant> variants;
};

/// The time of an algorithm at one length, with its best variant.
struct Time {
  std::optional<std::uint64_t> predicted;  ///< Absent: there is no formula.
  std::optional<std::uint64_t> measured{};
  const Variant* variant = nullptr;

  std::uint64_t cycles() const {
    return measured ? *measured : predicted.value_or(std::numeric_limits<std::uint64_t>::max());
  }
};

/// True if nodes can send the messages, so that routers need not combine or copy packets.
bool sent_by_nodes(const CollectiveEntry& entry) {
  const std::vector<Param> keys = entry.params();
  return entry.forward == nullptr ||
         any_of(keys, [](const Param& key) { return key.key == "forwarding"; });
}

/// Ranks the algorithms for one point of a sweep, at the message lengths of its tables; see
/// show_comparison().
class Comparison {
 public:
  /// @param sweep  Must outlive the comparison.
  /// @param point  A point of the sweep, with a collective; the other algorithms replace its own.
  Comparison(const Sweep& sweep, std::size_t point, std::vector<std::uint32_t> lengths,
             bool measures)
      : sweep_(sweep),
        point_(point),
        lengths_(std::move(lengths)),
        measures_(measures),
        configuration_(sweep.point(point)) {
    const Operation operation = operation_named(own().text("operation"));
    std::vector<const CollectiveEntry*> entries;
    for (const CollectiveEntry& entry : collectives()) {
      const bool chosen = entry.name == own().text("algorithm");
      if (entry.carries_out(operation) && (chosen || sent_by_nodes(entry))) {
        entries.push_back(&entry);
      }
    }
    describe(entries);
    for (const char* list : {"lengths", "fastest", "no_formula", "left_out"}) {
      json_[list] = ordered_json::array();
    }
    for (const CollectiveEntry* entry : entries) add(*entry);
    for (const std::uint32_t length : lengths_) {
      json_["lengths"].push_back({{"length", length}, {"ranking", ranking(length)}});
    }
    if (algorithms_.empty() || measures_ || !is_complete()) return;
    add_fastest(1);
    for (std::uint32_t length = 2; length <= kMaxPacketLength; length *= 2) {
      find_fastest(length / 2, length);
    }
  }

  /// The title; `lengths`, the rankings, with the algorithms that are the fastest first, and at the
  /// end the runs that failed, with the reason in place of figures; `fastest`,
  /// the algorithm that is the fastest by formula from a length on, unless some algorithm has none;
  /// `note`, why no formula holds here, if so;
  /// `no_formula`, the algorithms that only runs can rank; `left_out`, those that do not run here.
  const ordered_json& json() const { return json_; }
  /// True if all algorithms that are applicable here are ranked.
  bool is_complete() const { return json_.at("no_formula").empty(); }
  /// The exit code of the first run that failed; kDone if none has.
  int exit_code() const { return exit_code_; }

 private:
  const Section& own() const { return configuration_.section("workload"); }

  /// The experiment with another algorithm. It keeps the keys of the point's own algorithm that
  /// both have, but those in kChosen, of which `key` gets a value.
  Configuration configuration(const CollectiveEntry& entry, const std::string& key,
                              std::size_t value, std::uint32_t length) const {
    std::vector<std::pair<std::string, std::string>> values;
    const std::vector<Param> known = entry.params();
    for (const Param& param : collectives().find(own().text("algorithm"))->params()) {
      const bool kept = !contains(kChosen, param.key) &&
                        any_of(known, [&](const Param& one) { return one.key == param.key; });
      if (!kept) values.emplace_back("workload." + param.key, "");
    }
    values.emplace_back(kAlgorithm, entry.name);
    values.emplace_back(kLength, std::to_string(length));
    if (!key.empty()) values.emplace_back("workload." + key, std::to_string(value));
    return sweep_.variation(point_, values);
  }

  /// Takes title and ranks from a model with the first algorithm that is applicable.
  void describe(const std::vector<const CollectiveEntry*>& entries) {
    for (const CollectiveEntry* entry : entries) {
      try {
        return describe(configuration(*entry, "", 0, lengths_.front()));
      } catch (const ConfigError&) {
        continue;
      }
    }
    describe(configuration_);
  }

  void describe(const Configuration& one) {
    const Model model = make_unplayed(one);
    ranks_ =
        model.workload->schedule_figures().value("nodes_of_ranks", ordered_json::array()).size();
    if (ranks_ == 0) ranks_ = model.topology().node_count();
    json_["title"] = fmt::format("{}: {} on {}, {} routing, {} routers", configuration_.name(),
                                 own().text("operation"), model.topology().name(),
                                 configuration_.section("routing").text("kind"),
                                 configuration_.section("router").text("kind"));
    // The formulas are those of buffers that never stall a packet.
    const std::string stalled = credit_note(model.network);
    formulas_hold_ = stalled.empty();
    if (!formulas_hold_) json_["note"] = stalled;
  }

  /// Adds the algorithm with all variants that run at the longest length, or with the reason
  /// to `left_out`.
  void add(const CollectiveEntry& entry) {
    Candidate candidate{&entry, {}};
    std::string reason;
    std::string key;
    std::vector<std::size_t> values{0};
    const std::uint32_t longest = *std::max_element(lengths_.begin(), lengths_.end());
    for (const Param& param : entry.params()) {
      if (!contains(kChosen, param.key) || param.key == "segment") continue;
      std::vector<std::size_t> found = candidates(param.key, ranks_);
      if (own().has(param.key)) found.push_back(own().count(param.key));
      if (!found.empty()) std::tie(key, values) = std::pair(param.key, found);
    }
    for (const std::size_t value : values) {
      try {
        make_fitted(configuration(entry, key, value, longest));
        auto made = std::make_shared<const Configuration>(
            configuration(entry, key, value, lengths_.front()));
        Model model = make_unplayed(*made);
        ordered_json figures = model.workload->schedule_figures();
        candidate.variants.push_back(
            {key, value, std::move(made), std::move(model), std::move(figures)});
      } catch (const ConfigError& error) {
        const Problem& problem = error.problems().front();
        if (reason.empty()) reason = problem.key + ": " + problem.what;
      }
    }
    if (candidate.variants.empty()) {
      return json_["left_out"].push_back({{"algorithm", entry.name}, {"reason", reason}});
    }
    algorithms_.push_back(std::move(candidate));
    const auto ranked = [&](std::uint32_t length) {
      return measures_ || time(algorithms_.size() - 1, length).predicted;
    };
    if (all_of(lengths_, ranked)) return;
    json_["no_formula"].push_back(entry.name);
  }

  /// The time of the algorithm with its best variant.
  const Time& time(std::size_t algorithm, std::uint32_t length) {
    const Candidate& candidate = algorithms_[algorithm];
    const auto [place, is_new] = times_.try_emplace({candidate.entry->name, length});
    Time& best = place->second;
    if (!is_new) return best;
    const bool known = has_formula(candidate);
    for (const Variant& variant : candidate.variants) {
      const Time one{
          known ? variant.model.workload->cycles_by_formula(length) : std::nullopt, {}, &variant};
      if (best.variant == nullptr || one.cycles() < best.cycles()) best = one;
    }
    if (measures_) measure(candidate, length, best);
    return best;
  }

  /// True if times by formula are good enough for a rank. They are not where messages share
  /// channels of routers that store packets: formulas then exceed the cycles of runs by too much.
  bool has_formula(const Candidate& candidate) const {
    const auto stores_shared = [](const Variant& variant) {
      return variant.model.network.can.unit == BufferUnit::kPacket &&
             most_on_a_channel(variant) > 1;
    };
    const std::vector<Variant>& all = candidate.variants;
    return formulas_hold_ && none_of(all, stores_shared);
  }

  /// Measures the best variant by formula or, without one, all.
  void measure(const Candidate& candidate, std::uint32_t length, Time& best) {
    const Variant* const by_formula = best.predicted ? best.variant : nullptr;
    for (const Variant& variant : candidate.variants) {
      if (by_formula != nullptr && &variant != by_formula) continue;
      const PassingRun run =
          run_aside(configuration(*candidate.entry, variant.key, variant.value, length),
                    [&] { progress_.show("compare", times_.size(), 0, "algorithms"); });
      // The signal that stopped the run ends this process, too, now that its files are gone.
      if (const int signal = StopSignal::received(); signal != 0) std::raise(signal);
      if (run.exit_code != kDone) {
        if (exit_code_ == kDone) exit_code_ = run.exit_code;
        ordered_json failed = row_of(candidate.entry->name, variant);
        failed["failed"] = run.reason;
        failed_[length].push_back(std::move(failed));
        continue;
      }
      const auto cycles = run.result.at("collective").at("cycles").get<std::uint64_t>();
      if (!best.measured || cycles < *best.measured) {
        best.measured = cycles;
        best.variant = &variant;
      }
    }
  }

  // Between equally fast algorithms the first of the catalog counts as faster.
  std::size_t fastest_at(std::uint32_t length) {
    const auto all = numbers(algorithms_.size());
    return *std::min_element(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
      return time(a, length).cycles() < time(b, length).cycles();
    });
  }

  void add_fastest(std::uint32_t from) {
    json_["fastest"].push_back(
        {{"from_length", from}, {"algorithm", algorithms_[fastest_at(from)].entry->name}});
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
    std::vector<std::size_t> order = filtered(numbers(algorithms_.size()), [&](std::size_t a) {
      const Time& one = time(a, length);
      return measures_ ? one.measured.has_value() : one.predicted.has_value();
    });
    sort_by(order, [&](std::size_t a) { return time(a, length).cycles(); });
    ordered_json rows = mapped(
        order, [&](std::size_t a) { return row(algorithms_[a].entry->name, time(a, length)); });
    for (const ordered_json& one : failed_[length]) rows.push_back(one);
    return rows;
  }

  static ordered_json row_of(const std::string& algorithm, const Variant& variant) {
    ordered_json row{{"algorithm", algorithm}};
    if (!variant.key.empty()) row["with"] = {{variant.key, variant.value}};
    return row;
  }

  static ordered_json row(const std::string& algorithm, const Time& time) {
    const Variant& variant = *time.variant;
    ordered_json row = row_of(algorithm, variant);
    if (time.measured) row["cycles"] = *time.measured;
    if (time.predicted) row["predicted_cycles"] = *time.predicted;
    row["rounds"] = variant.figures.at("rounds");
    row["link_load"] = most_on_a_channel(variant);
    return row;
  }

  /// The most messages of a round that share a channel.
  static std::uint64_t most_on_a_channel(const Variant& variant) {
    const ordered_json loads = variant.figures.value("link_load_per_round", ordered_json::array());
    const auto most = largest_of<std::uint64_t>(
        loads, [](const ordered_json& load) { return load.get<std::uint64_t>(); });
    return std::max<std::uint64_t>(1, most);
  }

  const Sweep& sweep_;
  const std::size_t point_;
  const std::vector<std::uint32_t> lengths_;
  const bool measures_;
  const Configuration configuration_;  // The configuration of the point.
  std::size_t ranks_ = 0;
  bool formulas_hold_ = true;
  std::deque<Candidate> algorithms_;  // All that are applicable, in the order of the catalog.
  std::map<std::pair<std::string, std::uint32_t>, Time> times_;
  // The rows of failed runs, by length.
  std::map<std::uint32_t, std::vector<ordered_json>> failed_;
  int exit_code_ = kDone;
  Progress progress_{false};
  ordered_json json_;
};

/// Returns the name of the algorithm in a row, and the value that was chosen for it.
std::string name_of(const ordered_json& row) {
  std::string name = cell(row, "algorithm");
  if (!row.contains("with")) return name;
  for (const auto& [key, value] : row.at("with").items()) {
    name += " " + key + " " + value.dump();
  }
  return name;
}

std::string text_of(const ordered_json& comparison) {
  constexpr const char* kLine = "  {:<28} {:>10} {:>10} {:>7} {:>7}\n";
  std::string text = cell(comparison, "title") + "\n";
  bool any_shared = false;
  for (const ordered_json& table : comparison.at("lengths")) {
    text += fmt::format(kLine, counted(table.at("length").get<std::int64_t>(), "flit"), "predicted",
                        "measured", "rounds", "shared");
    for (const ordered_json& row : table.at("ranking")) {
      if (row.contains("failed")) {
        text += fmt::format("  {:<28} the run failed: {}\n", name_of(row), cell(row, "failed"));
        continue;
      }
      text += fmt::format(kLine, name_of(row), cell(row, "predicted_cycles"), cell(row, "cycles"),
                          cell(row, "rounds"), cell(row, "link_load"));
      any_shared |= row.at("link_load").get<std::uint64_t>() > 1;
    }
  }
  for (const ordered_json& one : comparison.at("fastest")) {
    text += fmt::format("  fastest by formula from {:>5}  {}\n", cell(one, "from_length"),
                        cell(one, "algorithm"));
  }
  if (any_shared) {
    text += "  shared: most messages of a round on a channel; above 1 an estimate, see --measure\n";
  }
  if (comparison.contains("note")) text += fmt::format("  {}\n", cell(comparison, "note"));
  for (const ordered_json& one : comparison.at("no_formula")) {
    text += fmt::format("  not ranked {}: no formula for its time is known here\n",
                        one.get<std::string>());
  }
  for (const ordered_json& one : comparison.at("left_out")) {
    text += fmt::format("  left out {}: {}\n", cell(one, "algorithm"), cell(one, "reason"));
  }
  return text;
}

}  // namespace

int show_comparison(const Sweep& sweep, std::optional<std::size_t> only, bool as_json,
                    bool measures, const std::string& command) {
  struct Group {
    std::size_t point;
    std::vector<std::uint32_t> lengths;
  };
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;  // Indexed by the values of all other keys.
  for (std::size_t point = only.value_or(0); point < sweep.size(); ++point) {
    const Configuration configuration = sweep.point(point);
    check_collective(configuration);
    ordered_json values = sweep.values(point, configuration);
    values.erase(kAlgorithm);
    values.erase(kLength);
    for (const char* chosen : kChosen) values.erase(std::string("workload.") + chosen);
    const auto [place, is_new] = known.emplace(values.dump(), groups.size());
    if (is_new) groups.push_back({point, {}});
    const auto length =
        static_cast<std::uint32_t>(configuration.section("workload").count("length"));
    std::vector<std::uint32_t>& lengths = groups[place->second].lengths;
    if (!contains(lengths, length)) lengths.push_back(length);
    if (only) break;
  }
  ordered_json all = ordered_json::array();
  bool complete = true;
  int of_runs = kDone;  // The exit code of the first run that failed.
  for (Group& group : groups) {
    const Comparison comparison(sweep, group.point, std::move(group.lengths), measures);
    complete &= comparison.is_complete();
    if (of_runs == kDone) of_runs = comparison.exit_code();
    all.push_back(comparison.json());
  }
  const int printed = print(as_json, all, [&] {
    for (const ordered_json& comparison : all) std::cout << text_of(comparison);
  });
  if (of_runs != kDone) return of_runs;
  if (complete) return printed;
  std::cerr << "not all algorithms are compared: to rank them by the cycles of runs, give\n  "
            << command << '\n';
  return kNotConverged;
}

}  // namespace flitcast
