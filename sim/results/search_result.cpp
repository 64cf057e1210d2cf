// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "sim/results/result.h"

namespace flitcast {
namespace {

const FigureTable<TrialResult> kTrialFigures{
    {"value", "", "Value of the searched key in this run.", &TrialResult::value},
    {"id", "", "Id of the result of this run.",
     [](const auto& t) { return figure_at(t.result, "id"); }},
    {"over", "", "True if the run is beyond saturation by search.rule.", &TrialResult::over},
    {"status", "", "Status of the run.",
     [](const auto& t) { return figure_at(t.result, "status"); }},
    {"latency_cycles", "cycles", "Mean latency of the run.",
     [](const auto& t) { return figure_at(t.result, "latency_cycles.mean"); }},
    {"offered_flits_per_node_cycle", "flits per node and cycle", "Flits created in its window.",
     [](const auto& t) { return figure_at(t.result, "offered_flits_per_node_cycle"); }},
    {"accepted_flits_per_node_cycle", "flits per node and cycle", "Flits ejected in its window.",
     [](const auto& t) { return figure_at(t.result, "accepted_flits_per_node_cycle.mean"); }},
};

/// The run at the largest value that is not over.
ordered_json figure_below(const Finding& finding, const char* name) {
  for (const TrialResult& trial : finding.trials) {
    if (trial.value == finding.below) return figure_at(trial.result, name);
  }
  return nullptr;
}

template <class Value>
Figure<Finding>::Value if_found(Value value) {
  return [value](const Finding& finding) {
    return finding.found() ? ordered_json(value(finding)) : ordered_json();
  };
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
    {"saturation.accepted_flits_per_node_cycle", "flits per node and cycle",
     "Flits ejected in the run at saturation.below.",
     if_found([](const auto& f) { return figure_below(f, "accepted_flits_per_node_cycle.mean"); })},
    {"saturation.lowest_latency_cycles", "cycles", "Mean latency of the run at search.from.",
     [](const auto& f) { return figure_at(f.trials.front().result, "latency_cycles.mean"); }},
    {"saturation.runs", "runs", "Number of runs of the search.",
     [](const auto& f) { return f.trials.size(); }},
    {"trials", "", "The runs of a search, in order.",
     [](const auto& f) { return kTrialFigures.list(f.trials); }},
};

std::string search_outcome(const ordered_json& result) {
  const auto found = text_of_figures(
      "{saturation.value:.4g}, between {saturation.below:.4g} and {saturation.above:.4g}, in "
      "{saturation.runs} runs",
      result);
  return found ? *found : result.at("reason").get<std::string>();
}

std::vector<FigureMeaning> search_figures() {
  std::vector<FigureMeaning> figures = kFindingFigures.meanings();
  for (FigureMeaning& figure : kTrialFigures.meanings("trials.")) {
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace flitcast
