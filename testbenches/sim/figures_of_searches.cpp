// SPDX-License-Identifier: Apache-2.0
// Figures of searches: every run of a search is repeated alone and checked by its packets.
#include <algorithm>
#include <cmath>
#include <string>

#include "figure_paths.h"
#include "support/test_catch.h"

namespace flitcast::program {
namespace {

constexpr double kFrom = 0.1;
constexpr double kTo = 1;
constexpr double kPrecision = 0.2;
constexpr std::uint64_t kCalm = 200;
constexpr std::uint64_t kSpan = 1000;
constexpr std::uint64_t kLongest = 160000;
constexpr std::uint64_t kConfirming = 100000;

Experiment searched_experiment() {
  return {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "{kind: traffic, load: 0.1}",
          "{warmup: 200, window: 1000, drain_limit: 1000}", ""};
}

/// The keys in which a run of the search differs from the experiment.
struct Alone {
  double load = 0;
  std::uint64_t window = kSpan;
  int seed = 1;

  Configuration configuration() const {
    return configuration_of(
        searched_experiment().text(),
        {"workload.load=" + std::to_string(load), "measure.warmup=" + std::to_string(calm()),
         "measure.window=" + std::to_string(window), "seed=" + std::to_string(seed)});
  }
  /// Longer windows begin later, by half of what they have more.
  std::uint64_t calm() const { return std::max(kCalm, (window - kSpan) / 2); }
};

double mean_latency(const Observed& seen, const Alone& run) {
  const std::uint64_t from = run.calm();
  const Packets packets = where(seen.log, [&](const LoggedPacket& packet) {
    return packet.created >= from && packet.created < from + run.window;
  });
  return static_cast<double>(sum(packets, latency)) / static_cast<double>(packets.size());
}

/// The key, not in the list, of what a run accepts since a collapse or in all.
constexpr const char* kKept = "kept";

/// A row of the list, and what follows from the run: the next window is at least `next`.
struct Row {
  Json json;
  std::uint64_t next = 0;
};

Row row(const Alone& run, double idle_latency) {
  const Observed seen = observe(run.configuration());
  const double cycles = mean_latency(seen, run);
  const Json& latency = seen.result["latency_cycles"];
  Json over;
  if (seen.result["status"] == "saturated") {
    over = true;
  } else if (latency.contains("mean_half_width_95")) {
    const auto error = latency["mean_half_width_95"].get<double>();
    if (cycles - error > 3 * idle_latency) over = true;
    if (cycles + error < 3 * idle_latency) over = false;
  }
  const Json& accepted = seen.result["accepted_flits_per_node_cycle"]["mean"];
  const Json& backlog = seen.result.contains("backlog") ? seen.result["backlog"] : Json::object();
  const Json& kept = backlog.contains("collapse")
                         ? backlog["collapse"]["accepted_flits_per_node_cycle"]
                         : accepted;
  return {{{"value", run.load},
           {"id", run.configuration().id()},
           {"over", over},
           {"seed", run.seed},
           {"window_cycles", run.window},
           {"warmup_cycles", run.calm()},
           {"status", seen.result["status"]},
           {"latency_cycles", cycles},
           {"offered_flits_per_node_cycle", seen.result["offered_flits_per_node_cycle"]},
           {"accepted_flits_per_node_cycle", accepted},
           {kKept, kept}},
          latency.value("sufficient_window", std::uint64_t{0}) / 2};
}

/// Runs a load in windows of at least twice the length, or as much as is known to be needed, until
/// one decides.
void decide(double load, double idle, Json& rows) {
  for (std::uint64_t window = kSpan;;) {
    const Row tried = row({load, window}, idle);
    rows.push_back(tried.json);
    if (!rows.back()["over"].is_null()) return;
    if (window == kLongest) break;
    window = std::min(std::max(2 * window, tried.next), kLongest);
  }
  rows.back()["over"] = true;
}

double accepted(const Json& trial) { return trial["accepted_flits_per_node_cycle"].get<double>(); }

/// The least accepted load of the saturated runs, as a share of that of the last run at `below`.
double throughput_beyond(const Json& rows, double below) {
  double least = 1, last = 0;
  for (const Json& trial : rows) {
    if (trial["status"] == "saturated") least = std::min(least, trial[kKept].get<double>());
    if (trial["value"] == below) last = accepted(trial);
  }
  return least / last;
}

/// Bisects [0.1, 1]: 0.55, then 0.325 or 0.775, until the bounds are within a fifth of each other;
/// then a long run of another seed confirms the lower one.
Json halvings(const Observed&) {
  static const Json rows = [] {
    Json first = row({kFrom, kLongest}, 1e9).json;
    const auto idle = first["latency_cycles"].get<double>();
    first["over"] = false;
    Json made = Json::array({first});
    double below = kFrom;
    double above = kTo;
    while (above - below > kPrecision * above) {
      const double middle = std::round((below + above) / 2 * 1e9) / 1e9;
      decide(middle, idle, made);
      (made.back()["over"] ? above : below) = middle;
    }
    CHECK(throughput_beyond(made, below) >= 0.97);
    made.push_back(row({below, kConfirming, 1000002}, idle).json);
    CHECK(made.back()["over"] == false);
    return made;
  }();
  return rows;
}

/// The rows as results have them: runs that did not decide have no `over`.
Json rows_of_result(const Observed& seen) {
  Json rows = halvings(seen);
  for (Json& trial : rows) {
    if (trial["over"].is_null()) trial.erase("over");
    trial.erase(kKept);
  }
  return rows;
}

/// Returns the last row at the largest load that is not over the limit, or at the smallest that is.
Json edge(const Observed& seen, bool over) {
  Json found;
  for (const Json& trial : halvings(seen)) {
    if (trial["over"] != over) continue;
    const bool nearer = found.is_null() || trial["value"] == found["value"] ||
                        (trial["value"] < found["value"]) == over;
    if (nearer) found = trial;
  }
  return found;
}

double value(const Json& trial) { return trial["value"].get<double>(); }

}  // namespace

FigureGroup searched_load() {
  Experiment experiment = searched_experiment();
  experiment.more = "search: {find: saturation, from: 0.1, to: 1, precision: 0.2}";
  return {
      experiment,
      rows_of_list(
          "trials", rows_of_result,
          {"value", "id", "over", "seed", "window_cycles", "warmup_cycles", "status",
           "latency_cycles", "offered_flits_per_node_cycle", "accepted_flits_per_node_cycle"},
          {{"saturation.below", [](const Observed& seen) { return edge(seen, false)["value"]; }},
           {"saturation.above", [](const Observed& seen) { return edge(seen, true)["value"]; }},
           {"saturation.value",
            [](const Observed& seen) {
              return Json((value(edge(seen, false)) + value(edge(seen, true))) / 2);
            }},
           {"saturation.confirmed", always(true)},
           {"saturation.confirmation.runs", always(1)},
           {"saturation.confirmation.window_cycles", always(kConfirming)},
           {"saturation.confirmation.collapses", always(0)},
           {"saturation.confirmation.horizon_cycles", always(kConfirming / 3)},
           {"saturation.throughput_beyond",
            [](const Observed& seen) {
              return Json(throughput_beyond(halvings(seen), value(edge(seen, false))));
            }},
           {"saturation.accepted_flits_per_node_cycle",
            [](const Observed& seen) {
              return edge(seen, false)["accepted_flits_per_node_cycle"];
            }},
           {"saturation.lowest_latency_cycles",
            [](const Observed& seen) { return halvings(seen)[0]["latency_cycles"]; }},
           {"saturation.runs", [](const Observed& seen) { return Json(halvings(seen).size()); }}})};
}

}  // namespace flitcast::program
