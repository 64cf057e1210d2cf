// SPDX-License-Identifier: Apache-2.0
// Finds the largest load that a network carries, by bisection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/sweep/search.h"
#include "stats/mean_interval.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

constexpr double kUnknown = std::numeric_limits<double>::infinity();
/// Beyond every limit, without a doubt.
constexpr Saturation kSaturated{std::numeric_limits<double>::infinity(), 0};

double number_at(const ordered_json& result, const char* pointer) {
  return result.at(ordered_json::json_pointer(pointer)).get<double>();
}
double accepted_in(const ordered_json& result) {
  return number_at(result, "/accepted_flits_per_node_cycle/mean");
}
/// The load that the network accepts since its collapse, where the run knows that, or else in its
/// window.
double accepted_beyond(const ordered_json& saturated) {
  const ordered_json::json_pointer since("/backlog/collapse/accepted_flits_per_node_cycle");
  return saturated.value(since, accepted_in(saturated));
}
/// A window in which the interval may be known, by the relaxation time of the run; 0: any.
std::uint64_t enough_for(const ordered_json& result) {
  return result.at("latency_cycles").value("sufficient_window", std::uint64_t{0}) / 2;
}
bool is_saturated(const ordered_json& result) { return result.at("status") == "saturated"; }

Saturation by_latency(const Section& search, const ordered_json& lowest,
                      const ordered_json& result) {
  if (!result.contains("latency_cycles")) return kSaturated;
  const ordered_json& latency = result.at("latency_cycles");
  const double limit = search.number("factor") * number_at(lowest, "/latency_cycles/mean");
  return {latency.at("mean").get<double>() - limit, latency.value("mean_half_width_95", kUnknown)};
}

/// Flits in flight at both ends of the window vary by chance: backlog.chance is three standard
/// deviations.
Saturation by_accepted_load(const Section& search, const ordered_json&,
                            const ordered_json& result) {
  const double offered = number_at(result, "/offered_flits_per_node_cycle");
  const double room = number_at(result, "/topology/nodes") * number_at(result, "/window_cycles");
  const double chance = result.value(ordered_json::json_pointer("/backlog/chance"), 0.0) / room;
  return {search.number("share") * offered - accepted_in(result), 2 * chance / 3};
}

/// A value as a user would write it.
double written(double value) { return std::stod(fmt::format("{:.9g}", value)); }
double middle(double a, double b) { return written((a + b) / 2); }

/// Finds the largest value at which a network is not saturated, by bisection; at the lower end it
/// must not be saturated. Then long runs with other seeds confirm it, because a network with
/// adaptive routing can carry a load for a long time before it collapses: values that fail are the
/// new upper end.
class SaturationSearch {
 public:
  SaturationSearch(const Configuration& point, const Trial& trial)
      : search_(point.section("search")),
        trial_(trial),
        rule_(saturation_rules().find(search_.text("rule"))->make),
        window_(point.section("measure").count("window")),
        warmup_(point.section("measure").count("warmup")),
        longest_(std::max(kLongestTrial * window_, kLongestTrialCycles)),
        seed_(point.seed()) {
    finding_.below = search_.number("from");
    finding_.above = search_.number("to");
  }

  Finding run() {
    const ordered_json lowest = try_once({finding_.below, longest_, seed_}).result;
    finding_.trials.back().over = is_saturated(lowest);
    if (is_saturated(lowest)) {
      finding_.reason = "the network is saturated at search.from already";
    } else if (!lowest.contains("latency_cycles")) {
      finding_.reason = "nothing was measured at search.from: raise it, or measure.window";
    } else {
      narrow(lowest);
    }
    finding_.value = middle(finding_.below, finding_.above);
    return std::move(finding_);
  }

 private:
  /// The longest window of a trial: this number of the experiment's windows, or of cycles if that
  /// is more.
  static constexpr std::uint64_t kLongestTrial = 16;
  static constexpr std::uint64_t kLongestTrialCycles = 160'000;
  /// The most runs with seeds of their own of which the mean decides.
  static constexpr std::size_t kMostSeeds = 8;
  static constexpr std::uint64_t kConfirmingWindows = 10;
  static constexpr std::uint64_t kShortestConfirmation = 100'000;  // Cycles.
  /// Less throughput beyond saturation than this share is a collapse.
  static constexpr double kKeptThroughput = 0.97;

  // Runs the upper end last, and only if no lower value is saturated, because it takes the longest.
  // Loads beyond the capacity need no run.
  void narrow(const ordered_json& lowest) {
    const double to = finding_.above;
    if (search_.text("key") == "workload.load" && lowest.contains("capacity")) {
      finding_.above = std::min(to, number_at(lowest, "/capacity/flits_per_node_cycle"));
    }
    bisect([this](double value) { return is_over(value); });
    if (finding_.above == to && !is_over(to).value_or(false)) {
      finding_.reason = fmt::format("the network is not clearly saturated at search.to, {:g}", to);
      return;
    }
    if (search_.integer("confirm") > 0) confirm();
    finding_.throughput_beyond = throughput_beyond();
    note_throughput();
  }

  // Values that stay open are kept between both ends; the precision then holds between each end and
  // them.
  template <class IsOver>
  void bisect(IsOver&& is_over) {
    std::set<double> open;
    for (;;) {
      const double least = std::min(open.empty() ? kUnknown : *open.begin(), finding_.above);
      const double most = std::max(open.empty() ? 0.0 : *open.rbegin(), finding_.below);
      const double enough = search_.number("precision") * finding_.above;
      const bool lower = least - finding_.below > enough;
      if (!lower && finding_.above - most <= enough) return;
      const double tried = lower ? middle(finding_.below, least) : middle(most, finding_.above);
      const std::optional<bool> over = is_over(tried);
      if (!over) open.insert(tried);
      if (over) (*over ? finding_.above : finding_.below) = tried;
    }
  }

  // Networks that start idle settle slowly near saturation: half of what the window grows by goes
  // before it.
  TrialResult& try_once(TrialPlan plan) {
    plan.warmup = std::max(warmup_, (plan.window - window_) / 2);
    return finding_.trials.emplace_back(TrialResult{plan.value, std::nullopt, trial_(plan)});
  }

  Saturation assess(const ordered_json& result) const {
    if (is_saturated(result)) return kSaturated;
    return rule_(search_, finding_.trials.front().result, result);
  }

  /// A further seed. `repeat` takes the seeds that follow that of the experiment, so these are far
  /// from it.
  std::uint64_t seed_after(std::size_t number) const {
    constexpr std::uint64_t kFar = 1'000'001;
    return (seed_ + number * kFar) % (kLargestSeed + 1);
  }

  /// Takes longer windows until the interval of the latency decides; absent if it stays open.
  std::optional<bool> is_over(double value) {
    for (std::uint64_t window = window_;;) {
      TrialResult& trial = try_once({value, window, seed_});
      const Saturation saturation = assess(trial.result);
      if (saturation.decided()) return trial.over = saturation.over();
      if (window == longest_) return is_over_on_average(value, saturation.excess);
      window = std::min(std::max(2 * window, enough_for(trial.result)), longest_);
    }
  }

  /// Repeats a run whose interval is unknown or too wide with other seeds than those that confirm,
  /// until the interval of the mean over the runs decides; absent if that of the last does not.
  std::optional<bool> is_over_on_average(double value, double excess) {
    const auto confirming = static_cast<std::size_t>(search_.integer("confirm"));
    std::vector<double> excesses{excess};
    Saturation mean{excess, kUnknown};
    while (!mean.decided() && excesses.size() < kMostSeeds) {
      const std::uint64_t seed = seed_after(confirming + excesses.size());
      const Saturation run = assess(try_once({value, longest_, seed}).result);
      excesses.push_back(run.excess);
      mean = std::isinf(run.excess) ? run : Saturation{mean_of(excesses), *half_width_95(excesses)};
    }
    if (mean.decided()) return finding_.trials.back().over = mean.over();
    finding_.notes.push_back(
        fmt::format("at {:g} {} runs of {} cycles leave it open if the network is saturated", value,
                    excesses.size(), longest_));
    return std::nullopt;
  }

  /// True if long runs with other seeds are not over; ends with the first that surely is. Chance
  /// alone takes the mean of one run beyond the limit where the load is close to it.
  bool holds(double value, std::size_t runs) {
    Finding::Confirmation& confirmation = *finding_.confirmation;
    for (confirmation.runs = 0; confirmation.runs < runs; ++confirmation.runs) {
      TrialResult& trial =
          try_once({value, confirmation.window, seed_after(confirmation.runs + 1)});
      const Saturation saturation = assess(trial.result);
      trial.over = saturation.over() && saturation.decided();
      if (!*trial.over) continue;
      ++confirmation.collapses;
      return false;
    }
    return true;
  }

  // One run is enough where the network keeps its throughput beyond saturation.
  void confirm() {
    finding_.confirmation = Finding::Confirmation{};
    finding_.confirmation->window = std::max(kConfirmingWindows * window_, kShortestConfirmation);
    const auto runs = static_cast<std::size_t>(search_.integer("confirm"));
    const bool keeps = throughput_beyond().value_or(0) >= kKeptThroughput;
    if (holds(finding_.below, keeps ? 1 : runs)) return;
    const double from = search_.number("from");
    for (double step = search_.number("precision");; step *= 2) {
      if (finding_.below == from) {
        finding_.reason = "the network saturates at search.from in longer windows";
        return;
      }
      finding_.above = finding_.below;
      finding_.below = std::max(from, written(finding_.above * (1 - step)));
      if (holds(finding_.below, runs)) break;
    }
    bisect([&](double value) { return !holds(value, runs); });
    finding_.confirmation->runs = runs;
  }

  /// Finding::throughput_beyond of the runs so far.
  std::optional<double> throughput_beyond() const {
    std::optional<double> least;
    double below = 0;
    for (const TrialResult& trial : finding_.trials) {
      if (trial.value == finding_.below) below = accepted_in(trial.result);
      if (!is_saturated(trial.result)) continue;
      least = std::min(least.value_or(kUnknown), accepted_beyond(trial.result));
    }
    return least && below > 0 ? std::optional(*least / below) : std::nullopt;
  }

  void note_throughput() {
    const double kept = finding_.throughput_beyond.value_or(1);
    if (kept >= kKeptThroughput || !finding_.found()) return;
    finding_.notes.push_back(
        fmt::format("beyond saturation the network accepts {:.0f} % less: near {:.4g} it can "
                    "collapse after a long time",
                    100 * (1 - kept), finding_.above));
  }

  const Section& search_;
  const Trial& trial_;
  const SaturationRule rule_;
  const std::uint64_t window_;
  const std::uint64_t warmup_;
  /// The longest window of a trial, and that of the lowest value: its error is in every limit.
  const std::uint64_t longest_;
  const std::uint64_t seed_;
  Finding finding_;
};

std::vector<Param> saturation_keys() {
  constexpr double kMost = 1e9;
  std::vector<Param> keys{
      Param::text("key", "The key whose value is searched, by its full name; most often the load.")
          .defaults_to("workload.load"),
      Param::number("from", "",
                    "The lowest value: an idle network. A point of a sweep is dumped with it.", 0,
                    kMost)
          .defaults_to(0.01),
      Param::number("to", "", "The highest value.", 0, kMost).defaults_to(1),
      Param::number("precision", "",
                    "The search ends when the values on both sides of saturation differ by this "
                    "share, or differ by it from values between them that runs leave open.",
                    1e-5, 0.5)
          .defaults_to(0.01),
      Param::integer(
          "confirm", "runs",
          "Longer runs with other seeds, of ten windows and at least 100000 cycles, that "
          "must hold at the value found; one is enough if the network accepts no less "
          "beyond saturation. 0: not confirmed.",
          0, 100)
          .defaults_to(3),
  };
  const Param rule =
      Param::choice("rule", "When a run is saturated.").defaults_to(saturation_rules()[0].name);
  for (Param& param : catalog_params(rule, saturation_rules())) keys.push_back(std::move(param));
  return keys;
}

}  // namespace

const Catalog<CatalogEntry<SaturationRule>>& saturation_rules() {
  static const Catalog<CatalogEntry<SaturationRule>> catalog{
      {"latency",
       "Status saturated, or a mean latency of `factor` times that at search.from; the window is "
       "made longer, up to 16 times and at least 160000 cycles, and the warm-up by half as much, "
       "until the interval of the mean decides, then repeated with up to 7 other seeds until that "
       "of the mean over the runs does. Values that even these leave open are within the bracket.",
       {Param::number("factor", "",
                      "The multiple of the mean latency at search.from that is too much.", 1.01,
                      1000)
            .defaults_to(3)},
       by_latency},
      {"accepted",
       "Status saturated, or the network accepts less than a share of what it is offered, by more "
       "than chance explains; the window is made longer as by latency until it is clear.",
       {Param::number("share", "", "Accepted of offered flits, in the window.", 0.01, 1)
            .defaults_to(0.98)},
       by_accepted_load}};
  return catalog;
}

CatalogEntry<SearchMaker> saturation_search() {
  return {"saturation", "The load at which the network saturates, by bisection.", saturation_keys,
          [](const Configuration& point, const Trial& trial) {
            return SaturationSearch(point, trial).run();
          }};
}

}  // namespace flitcast
