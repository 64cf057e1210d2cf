// SPDX-License-Identifier: Apache-2.0
#include "permutation/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

namespace {

constexpr const char* kUsual = "usual";

// The nodes at the places of an instance: all nodes, or the first node of every router.
std::vector<NodeId> ends_of(const PermutationContext& context) {
  const bool all = context.workload.text("ends") == "nodes";
  std::vector<NodeId> ends;
  std::vector<bool> taken(context.topology.router_count());
  for (std::uint32_t node = 0; node < context.topology.node_count(); ++node) {
    const std::size_t router = index(context.topology.attachment(NodeId{node}).injection.router);
    if (!all && taken[router]) continue;
    taken[router] = true;
    ends.push_back(NodeId{node});
  }
  return ends;
}

Instance packets_of(const PermutationContext& context, const std::vector<NodeId>& ends) {
  InstanceContext places{context.topology.node_grid(), context.topology.name(), false, context.run};
  if (ends.size() != context.topology.node_count()) {
    places.network += fmt::format(", of which {} nodes take part,", ends.size());
    places.grid = {ends.size()};
    if (is_power_of_two(ends.size())) places.grid.assign(bit_count(ends.size()), 2);
  }
  places.is_cube = all_of(places.grid, [](std::size_t size) { return size <= 2; });
  return mapped(make_instance(context.workload, places), [&](const Transfer& packet) {
    return Transfer{ends[index(packet.from)], ends[index(packet.to)]};
  });
}

const AlgorithmEntry& algorithm_of(const PermutationContext& context) {
  const AlgorithmEntry& entry = *find(permutation_algorithms(), context.workload.text("algorithm"));
  if (entry.accepts(context.topology)) return entry;
  const auto others = names_where(permutation_algorithms(), [&](const AlgorithmEntry& other) {
    return other.accepts(context.topology);
  });
  context.workload.fail("algorithm", entry.name + " does not work on " + context.topology.name(),
                        fmt::format("it works on {}; for {} choose one of {}", entry.family,
                                    context.topology.name(), fmt::join(others, ", ")));
}

std::string discipline_of(const PermutationContext& context, const AlgorithmEntry& entry) {
  const std::string& asked = context.workload.text("discipline");
  const std::string& routers = context.router_priority;
  if (asked == kUsual) return routers.empty() ? entry.discipline : routers;
  if (!routers.empty() && routers != asked) {
    context.workload.fail("discipline",
                          fmt::format("{} is not what router.priority says, {}", asked, routers),
                          "name one of them only");
  }
  return asked;
}

// Problems of a queue priority are reported at the key workload.discipline.
std::shared_ptr<const QueuePriority> priority_of(const PermutationContext& context,
                                                 const std::string& discipline) {
  const Section router("router", context.workload.place("discipline"), {{"priority", discipline}});
  try {
    return find(queue_priorities(), discipline)->make(router, {context.topology, context.seed});
  } catch (const ConfigError& error) {
    Problem problem = error.problems().front();
    problem.place = context.workload.place("discipline");
    problem.key = "workload.discipline";
    throw ConfigError(problem);
  }
}

}  // namespace

PermutationRoute make_route(const PermutationContext& context) {
  PermutationRoute route;
  const std::vector<NodeId> ends = ends_of(context);
  const AlgorithmContext made_for{context.topology, ends, route.packets, context.run};
  const AlgorithmEntry* entry = nullptr;
  ProblemList problems;
  problems.attempt([&] { route.packets = packets_of(context, ends); });
  problems.attempt([&] { entry = &algorithm_of(context); });
  problems.throw_if_any();
  problems.attempt([&] { route.plan = entry->make(context.workload, made_for); });
  problems.attempt([&] {
    route.discipline = discipline_of(context, *entry);
    route.priority = priority_of(context, route.discipline);
  });
  problems.throw_if_any();
  route.routing = context.routing;
  const bool as_proved = route.discipline == entry->discipline;
  if (entry->claims != nullptr) route.claims = entry->claims(made_for);
  for (PermutationClaim& claim : route.claims) claim.proved = claim.proved && as_proved;
  return route;
}

std::size_t PermutationRoute::most_at(NodeId Message::*end, const Topology& topology) const {
  std::size_t most = 0;
  for (std::size_t phase = 0; phase < plan.phases.rounds(); ++phase) {
    std::map<NodeId, std::size_t> count;
    for (const Message& move : plan.phases.messages(phase)) {
      if (!is_there(topology, move)) most = std::max(most, ++count[move.*end]);
    }
  }
  return most;
}

std::vector<Param> permutation_params() {
  Param discipline = Param::choice(
      "discipline",
      "Which packet of a queue leaves first; usual: as router.priority says where it is given, "
      "else what the theorem on the algorithm is about.",
      {kUsual});
  append(discipline.choices, mapped(queue_priorities(), &QueuePriorityEntry::name));
  const Param algorithm =
      Param::choice("algorithm", "How the packets get there.").defaults_to("greedy");
  return concatenated<Param>(
      {{permutation_param()},
       catalog_params(algorithm, permutation_algorithms()),
       {discipline,
        Param::choice(
            "ends",
            "Which nodes send and receive: all, or the first of every router that nodes send by, "
            "which are the rows of a butterfly.",
            {"nodes", "routers"}),
        Param::integer("length", "flits", "Length of every packet.", 1, 65536).defaults_to(1),
        Param::integer("runs", "",
                       "Repetitions on the step machine, each with its number added to every seed.",
                       1, 1e6)
            .defaults_to(1)}});
}

double StepFigures::mean_delay() const {
  double sum = 0;
  double count = 0;
  for (std::size_t delay = 0; delay < delays.size(); ++delay) {
    sum += static_cast<double>(delay) * static_cast<double>(delays[delay]);
    count += static_cast<double>(delays[delay]);
  }
  return count == 0 ? 0 : sum / count;
}

double StepFigures::share_of_delays(std::size_t least) const {
  const auto first = delays.begin() + static_cast<std::ptrdiff_t>(std::min(least, delays.size()));
  const double count = std::accumulate(delays.begin(), delays.end(), 0.0);
  return count == 0 ? 0 : std::accumulate(first, delays.end(), 0.0) / count;
}

void StepFigures::add(std::size_t reserved, const PhaseOutcome& outcome) {
  const std::size_t taken = std::max(outcome.steps, reserved);
  steps += taken;
  longest_phase = std::max(longest_phase, taken);
  phase_steps.push_back(taken);
  arrival_steps.push_back(outcome.steps);
  lower_bound += std::max(outcome.lower_bound(), reserved);
  for (const auto peak : {&StepPeaks::congestion, &StepPeaks::longest_path, &StepPeaks::max_queue,
                          &StepPeaks::max_held, &StepPeaks::max_stored}) {
    this->*peak = std::max(this->*peak, outcome.*peak);
  }
  for (const std::uint32_t delay : outcome.delays) {
    max_delay = std::max<std::size_t>(max_delay, delay);
    if (delay >= delays.size()) delays.resize(delay + 1);
    ++delays[delay];
  }
}

StepFigures play_on_steps(const Topology& topology, const PermutationRoute& route,
                          std::uint64_t seed) {
  StepFigures all;
  MovePaths paths(topology, *route.routing, seed, route.plan.choices);
  StepMachine machine(paths, *route.priority);
  for (std::size_t phase = 0; phase < route.plan.phases.rounds(); ++phase) {
    const PhaseOutcome outcome = machine.run(route.plan.phases.messages(phase));
    all.add(route.plan.reserved(phase), outcome);
    const DelayTheorem theorem = check_delay_theorem(machine, outcome);
    all.theorem.checked = all.theorem.checked && theorem.checked;
    all.theorem.applies = all.theorem.applies && theorem.applies;
    all.theorem.violations += theorem.violations;
    all.theorem.greatest_sharing = std::max(all.theorem.greatest_sharing, theorem.greatest_sharing);
    if (theorem.checked && theorem.applies && theorem.violations > 0) {
      throw std::logic_error("a packet is delayed by more steps than others share its path");
    }
  }
  all.fewest_vcs = paths.fewest_vcs();
  for (const PermutationClaim& claim : route.claims) {
    if (!claim.proved || claim.holds(all)) continue;
    throw std::logic_error("a theorem does not hold: " + claim.text);
  }
  return all;
}

namespace {

FigureOfRuns figure_of_runs(const std::vector<std::size_t>& values) {
  // The quantile of the normal distribution for a two-sided 95 % interval.
  constexpr double kTwoSided95 = 1.96;
  const auto count = static_cast<double>(values.size());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  const double mean = sum / count;
  const double variance = std::max(0.0, (squares - sum * mean) / std::max(1.0, count - 1));
  return {mean, count < 2 ? 0 : kTwoSided95 * std::sqrt(variance / count),
          *std::max_element(values.begin(), values.end())};
}

}  // namespace

RepeatedFigures repeat_on_steps(PermutationContext context, std::size_t runs) {
  RepeatedFigures result;
  result.runs = runs;
  std::vector<std::size_t> steps;
  std::vector<std::size_t> queues;
  for (std::size_t r = 0; r < runs; ++r, ++context.run) {
    const PermutationRoute route = make_route(context);
    const StepFigures figures = play_on_steps(context.topology, route, context.seed + context.run);
    steps.push_back(figures.steps);
    queues.push_back(figures.max_queue);
    result.longest_delay = std::max(result.longest_delay, figures.max_delay);
    if (r == 0) {
      for (const PermutationClaim& claim : route.claims) result.claims.push_back({claim});
    }
    for (ClaimStatistics& claim : result.claims) {
      if (!claim.claim.holds(figures)) ++claim.exceeded;
    }
  }
  result.steps = figure_of_runs(steps);
  result.max_queue = figure_of_runs(queues);
  for (ClaimStatistics& claim : result.claims) {
    claim.upper_limit = clopper_pearson_limit(claim.exceeded, runs);
  }
  return result;
}

// The limit is found by bisection, because the probability of at most `events` events falls as the
// probability of one event rises.
double clopper_pearson_limit(std::size_t events, std::size_t runs) {
  if (events >= runs) return 1;
  constexpr double kChance = 0.05;
  const auto n = static_cast<double>(runs);
  const auto at_most_events = [&](double p) {
    return sum_of<double>(numbers(events + 1), [&](std::size_t k) {
      const auto i = static_cast<double>(k);
      return std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) +
                      i * std::log(p) + (n - i) * std::log1p(-p));
    });
  };
  double low = 0;
  double high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (at_most_events(middle) > kChance ? low : high) = middle;
  }
  return low;
}

}  // namespace flitcast
