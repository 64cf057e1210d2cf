// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/experiment/model.h"
#include "sim/results/result.h"
#include "sim/sweep/optimise.h"
#include "sim/sweep/search.h"

namespace flitcast {

namespace {

constexpr const char* kGoals = "optimise";
constexpr const char* kObjectives = "objectives";
constexpr const char* kConstraints = "constraints";
constexpr const char* kSaturation = "saturation.value";

std::vector<std::string> words_of(const std::string& text) {
  return words_in(all_replaced(text, "%", " %"));
}

/// Throws ConfigError unless results can have the figure as one number. Results of searches have
/// those of the search only.
void require_figure(const Section& section, const char* key, const std::string& name,
                    bool searches) {
  const bool of_search = name.rfind("saturation.", 0) == 0;
  std::vector<std::string> numbers, others;  // The latter are texts, and lists with their members.
  for (const FigureMeaning& figure : figure_reference()) {
    const bool is_member = any_of(
        others, [&](const std::string& list) { return figure.name.rfind(list + ".", 0) == 0; });
    (is_member || figure.unit.rfind('(', 0) == 0 ? others : numbers).push_back(figure.name);
  }
  if (contains(numbers, name)) {
    if (of_search == searches) return;
    section.fail(key, quoted(name) + (searches ? " is no figure of a search" : " is of a search"),
                 searches ? "choose figures of saturation, or leave search.find out"
                          : "write search: {find: saturation}, or choose a figure of runs");
  }
  const std::string meant = closest(name, numbers);
  section.fail(key, quoted(name) + " is no figure that is a number",
               meant.empty() ? "choose one of " + listed(numbers) : "did you mean " + meant + "?");
}

Objective objective_of(const Section& section, const std::string& text, bool searches) {
  const std::vector<std::string> words = words_of(text);
  const bool sound = words.size() == 2 && (words[0] == "minimise" || words[0] == "maximise");
  if (!sound) {
    section.fail(kObjectives, quoted(text) + " is no objective",
                 "write minimise or maximise and a figure: \"minimise latency_cycles.mean\"");
  }
  require_figure(section, kObjectives, words[1], searches);
  return {words[1], words[0] == "maximise"};
}

Constraint constraint_of(const Section& section, const std::string& text, bool searches) {
  constexpr double kPercent = 100;
  const std::vector<std::string> words = words_of(text);
  const bool of_best =
      words.size() == 6 && words[3] == "%" && words[4] == "of" && words[5] == "best";
  const std::optional<double> number =
      words.size() >= 3 ? number_in<double>(words[2]) : std::nullopt;
  const bool sound = (words.size() == 3 || of_best) && number && std::isfinite(*number) &&
                     (words[1] == "<=" || words[1] == ">=");
  if (!sound) {
    section.fail(kConstraints, quoted(text) + " is no constraint",
                 "write \"FIGURE <= NUMBER\", with <= or >=, or \"FIGURE >= 95 % of best\"");
  }
  require_figure(section, kConstraints, words[0], searches);
  const bool at_least = words[1] == ">=";
  if (of_best && (at_least ? *number > kPercent : *number < kPercent)) {
    section.fail(kConstraints, "no point is better than the best, as " + quoted(text) + " demands",
                 at_least ? "write at most 100 %" : "write at least 100 %");
  }
  return {words[0], at_least, of_best ? *number / kPercent : *number, of_best};
}

}  // namespace

std::vector<std::string> Goals::figures() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
  };
  for (const Objective& objective : objectives) add(objective.figure);
  for (const Constraint& constraint : constraints) add(constraint.figure);
  return names;
}

std::vector<Param> optimise_keys() {
  constexpr int kUsualBudget = 1000;
  const auto none = nlohmann::json::array();
  std::vector<Param> keys{
      Param::texts(kObjectives,
                   "Figures that `flitcast optimise` makes small or large over the points of the "
                   "sweep: \"minimise energy.total_pj\", \"maximise saturation.value\".")
          .defaults_to(none),
      Param::texts(kConstraints,
                   "Conditions that the points must satisfy: \"latency_cycles.mean <= 60\", "
                   "\"accepted_flits_per_node_cycle.mean >= 95 % of best\".")
          .defaults_to(none),
      Param::boolean("unsaturated", false,
                     "Only points with status ok count; those that cannot carry their load by "
                     "their capacity are not run."),
      Param::integer("budget", "points",
                     "Number of points that run at most; a sweep with more is searched from "
                     "random points by steps along its keys.",
                     1, 1'000'000)
          .defaults_to(kUsualBudget),
  };
  for (Param& key : keys) key.dumped = false;
  return keys;
}

bool has_goals(const Configuration& configuration) {
  const Section& section = configuration.section(kGoals);
  return !section.texts(kObjectives).empty() || !section.texts(kConstraints).empty();
}

Goals goals_of(const Configuration& configuration) {
  const Section& section = configuration.section(kGoals);
  const bool searches = is_search(configuration);
  Goals goals;
  ProblemList problems;
  for (const std::string& text : section.texts(kObjectives)) {
    problems.attempt([&] { goals.objectives.push_back(objective_of(section, text, searches)); });
  }
  if (section.texts(kObjectives).empty()) {
    problems.add(section.problem(kObjectives, "there is none",
                                 "write objectives: [\"minimise latency_cycles.mean\"]"));
  }
  for (const std::string& text : section.texts(kConstraints)) {
    problems.attempt([&] { goals.constraints.push_back(constraint_of(section, text, searches)); });
  }
  problems.throw_if_any();
  goals.unsaturated = section.boolean("unsaturated");
  goals.budget = section.count("budget");
  goals.seed = configuration.seed();
  return goals;
}

bool is_hopeless(const Goals& goals, const Configuration& point, bool unsafe) {
  const bool finds_load =
      is_search(point) && point.section("search").text("key") == "workload.load";
  // The loads that a point must carry.
  const auto least = filtered(goals.constraints, [&](const Constraint& one) {
    return finds_load && one.at_least && !one.of_best && one.figure == kSaturation;
  });
  if (!goals.unsaturated && least.empty()) return false;
  const Model model = make_model(point, unsafe);
  if (!model.capacity || !model.capacity->known()) return false;
  const double bound = model.capacity->bound;
  return (goals.unsaturated && model.capacity->exceeded()) ||
         any_of(least, [&](const Constraint& one) { return one.value > bound; });
}

}  // namespace flitcast
