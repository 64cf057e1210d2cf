// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "base/sequences.h"
#include "sim/results/result.h"

namespace flitcast {
namespace {

/// A figure of the result of a run.
Figure<TrialResult>::Value of_run(const char* name) {
  return [name](const TrialResult& trial) { return figure_at(trial.result, name); };
}

const FigureTable<TrialResult> kTrialFigures{
    {"value", "", "Value of the searched key in this run.", &TrialResult::value},
    {"id", "(text)", "Id of the result of this run.", of_run("id")},
    {"over", "",
     "True if the run is beyond saturation by search.rule; absent if it did not decide that, even "
     "with the runs before it.",
     [](const auto& t) { return figure_of(t.over); }},
    {"seed", "", "Seed of the run.", of_run("seed")},
    {"window_cycles", "cycles", "Length of its window.", of_run("window_cycles")},
    {"warmup_cycles", "cycles", "Length of its warm-up: measure.warmup, or more for long windows.",
     of_run("config.measure.warmup")},
    {"status", "(text)", "Status of the run.", of_run("status")},
    {"latency_cycles", "cycles", "Mean latency of the run.", of_run("latency_cycles.mean")},
    {"offered_flits_per_node_cycle", "flits per node and cycle", "Flits created in its window.",
     of_run("offered_flits_per_node_cycle")},
    {"accepted_flits_per_node_cycle", "flits per node and cycle", "Flits ejected in its window.",
     of_run("accepted_flits_per_node_cycle.mean")},
};

/// The last run at the largest value that is not over.
ordered_json figure_below(const Finding& finding, const char* name) {
  ordered_json figure;
  for (const TrialResult& trial : finding.trials) {
    if (trial.value == finding.below) figure = figure_at(trial.result, name);
  }
  return figure;
}

template <class Value>
Figure<Finding>::Value if_found(Value value) {
  return [value](const Finding& finding) {
    return finding.found() ? ordered_json(value(finding)) : ordered_json();
  };
}

using Confirmation = Finding::Confirmation;

// The rule of three: an event that did not occur in a time occurs less than three times in it, with
// 95 % confidence. Source: Hanley and Lippman-Hand, JAMA 249 (1983).
ordered_json horizon(const Finding& finding) {
  if (!finding.confirmation) return nullptr;
  return finding.confirmation->runs * finding.confirmation->window / 3;
}

}  // namespace

const FigureTable<Finding> kFindingFigures{
    {"saturation.value", "",
     "Value of the searched key at which the network saturates: the middle between the two "
     "below.",
     if_found([](const auto& f) { return f.value; })},
    {"saturation.below", "", "The largest value found at which it does not saturate.",
     if_found([](const auto& f) { return f.below; })},
    {"saturation.above", "", "The smallest value found at which it saturates.",
     if_found([](const auto& f) { return f.above; })},
    {"saturation.confirmed", "(true or false)",
     "True if saturation.below held in longer windows with other seeds, as search.confirm asks.",
     if_found([](const auto& f) { return f.confirmation.has_value(); })},
    {"saturation.confirmation.runs", "runs", "Longer runs that held at saturation.below.",
     if_found([](const auto& f) { return figure_of(f.confirmation, &Confirmation::runs); })},
    {"saturation.confirmation.window_cycles", "cycles", "Length of the window of each.",
     if_found([](const auto& f) { return figure_of(f.confirmation, &Confirmation::window); })},
    {"saturation.confirmation.collapses", "runs",
     "Longer runs that did not hold, at larger values.",
     if_found([](const auto& f) { return figure_of(f.confirmation, &Confirmation::collapses); })},
    {"saturation.confirmation.horizon_cycles", "cycles",
     "With 95 % confidence the network collapses at saturation.below less often than once in this "
     "time: a third of all confirming windows.",
     if_found(horizon)},
    {"saturation.throughput_beyond", "",
     "Flits accepted in the worst run that is saturated, since its collapse if that is known, as a "
     "share of those accepted at saturation.below; less than 0.97: the network can collapse.",
     if_found([](const auto& f) { return figure_of(f.throughput_beyond); })},
    {"saturation.accepted_flits_per_node_cycle", "flits per node and cycle",
     "Flits ejected in the last run at saturation.below.",
     if_found([](const auto& f) { return figure_below(f, "accepted_flits_per_node_cycle.mean"); })},
    {"saturation.lowest_latency_cycles", "cycles", "Mean latency of the run at search.from.",
     [](const auto& f) { return figure_at(f.trials.front().result, "latency_cycles.mean"); }},
    {"saturation.runs", "runs", "Number of runs of the search.",
     [](const auto& f) { return f.trials.size(); }},
    {"trials", "(list)", "The runs of a search, in order.",
     [](const auto& f) { return kTrialFigures.list(f.trials); }},
};

std::string search_outcome(const ordered_json& result) {
  const auto found = text_of_figures(
      "{saturation.value:.4g}, between {saturation.below:.4g} and {saturation.above:.4g}, in "
      "{saturation.runs} runs[; held for {saturation.confirmation.runs} x "
      "{saturation.confirmation.window_cycles} cycles: with 95 % confidence it collapses less "
      "often than once in {saturation.confirmation.horizon_cycles} cycles]",
      result);
  if (!found) return result.at("reason").get<std::string>();
  const bool confirmed = figure_at(result, "saturation.confirmed") == true;
  return *found + (confirmed ? "" : "; not confirmed at longer windows");
}

std::vector<FigureMeaning> search_figures() {
  return concatenated({kFindingFigures.meanings(), kTrialFigures.meanings("trials.")});
}

}  // namespace flitcast
