// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result.h"

#include <fmt/format.h>

#include <utility>

namespace flitcast {
namespace {

using nlohmann::ordered_json;

/// A value of a result by its dotted name; null if it is not there.
ordered_json figure_in(const ordered_json& result, const char* pointer) {
  const ordered_json::json_pointer place(pointer);
  return result.contains(place) ? result.at(place) : ordered_json();
}

const FigureTable<TrialResult>& trial_figures() {
  using T = TrialResult;
  static const FigureTable<T> table{
      {"value", "", "Value of the searched key in this run of the search.", &T::value},
      {"id", "", "The id of the run's own result.",
       [](const T& t) { return figure_in(t.result, "/id"); }},
      {"over", "", "Whether the rule says that it is beyond saturation.", &T::over},
      {"status", "", "What the run says of itself.",
       [](const T& t) { return figure_in(t.result, "/status"); }},
      {"latency_cycles", "cycles", "Mean latency in it.",
       [](const T& t) { return figure_in(t.result, "/latency_cycles/mean"); }},
      {"offered_flits_per_node_cycle", "flits per node and cycle", "Offered in its window.",
       [](const T& t) { return figure_in(t.result, "/offered_flits_per_node_cycle"); }},
      {"accepted_flits_per_node_cycle", "flits per node and cycle", "Accepted in its window.",
       [](const T& t) { return figure_in(t.result, "/accepted_flits_per_node_cycle/mean"); }},
  };
  return table;
}

/// The run at the largest value that is not over.
ordered_json figure_below(const Finding& finding, const char* pointer) {
  for (const TrialResult& trial : finding.trials) {
    if (trial.value == finding.below) return figure_in(trial.result, pointer);
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

const FigureTable<Finding>& finding_figures() {
  using F = Finding;
  static const FigureTable<F> table{
      {"saturation.value", "",
       "Value of the searched key at which the network saturates: the middle between the two "
       "below.",
       if_found([](const F& f) { return f.value; })},
      {"saturation.below", "", "The largest value found at which it does not.",
       if_found([](const F& f) { return f.below; })},
      {"saturation.above", "", "The smallest value found at which it does.",
       if_found([](const F& f) { return f.above; })},
      {"saturation.accepted_flits_per_node_cycle", "flits per node and cycle",
       "Accepted in the run at the largest value at which it does not.",
       if_found([](const F& f) { return figure_below(f, "/accepted_flits_per_node_cycle/mean"); })},
      {"saturation.lowest_latency_cycles", "cycles", "Mean latency of the run at search.from.",
       [](const F& f) { return figure_in(f.trials.front().result, "/latency_cycles/mean"); }},
      {"saturation.runs", "runs", "Runs that the search took.",
       [](const F& f) { return f.trials.size(); }},
      {"trials", "", "The runs of a search, in their order.",
       [](const F& f) { return trial_figures().list(f.trials); }},
  };
  return table;
}

std::string search_outcome(const ordered_json& result) {
  if (result.contains("reason")) return result.at("reason").get<std::string>();
  const ordered_json& found = result.at("saturation");
  return fmt::format("{:.4g}, between {:.4g} and {:.4g}, in {} runs",
                     found.at("value").get<double>(), found.at("below").get<double>(),
                     found.at("above").get<double>(), found.at("runs").get<int>());
}

std::vector<FigureMeaning> search_figures() {
  std::vector<FigureMeaning> figures = finding_figures().meanings();
  for (FigureMeaning& figure : trial_figures().meanings("trials.")) {
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace flitcast
