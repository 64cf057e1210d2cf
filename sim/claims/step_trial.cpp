// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/step_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "collective/demand.h"
#include "config/configuration.h"
#include "permutation/experiment.h"
#include "routing/catalog.h"
#include "sim/claims/trials.h"
#include "stats/mean_interval.h"
#include "topology/catalog.h"

namespace flitcast::claims {
namespace {

/// The first routing of the algorithm that works on the network.
const std::string& routing_of(const AlgorithmEntry& algorithm, const Topology& network) {
  return *first_where(algorithm.routings, [&](const std::string& name) {
    return accepts(*routings().find(name), network);
  });
}

std::unique_ptr<QueuePriority> priority_of(const std::string& asked,
                                           const AlgorithmEntry& algorithm, const Topology& network,
                                           std::uint64_t seed) {
  const std::string& name = asked == "usual" ? algorithm.discipline : asked;
  return queue_priorities().find(name)->make(Section::of("router", {{"priority", name}}),
                                             {network, seed});
}

}  // namespace

std::string mesh_name(const std::vector<std::size_t>& sizes) {
  return fmt::format("M({})", fmt::join(sizes, ","));
}

StepTrial::StepTrial(const std::string& network, const std::string& keys, std::uint64_t seed)
    : section_(topology_section(network, "network")),
      network_(network_named(network, "network")),
      ends_(all_nodes(network_->node_count())),
      workload_(read_section("workload", permutation_params(),
                             fmt::format("{{permutation: identity, {}}}", keys), "parameters")),
      entry_(*permutation_algorithms().find(workload_.text("algorithm"))),
      routing_section_(
          example_of(*routings().find(routing_of(entry_, *network_)), "routing.kind", "")),
      routing_(make_routing(routing_section_, {*network_})),
      priority_(priority_of(workload_.text("discipline"), entry_, *network_, seed)),
      paths_(*network_, *routing_, seed),
      machine_(paths_, *priority_) {}

std::vector<PermutationClaim> StepTrial::claims(const Instance& packets) const {
  if (entry_.claims == nullptr) return {};
  return entry_.claims({*network_, ends_, packets});
}

StepFigures StepTrial::play(const MovePlan& plan) {
  StepFigures figures;
  for (std::size_t phase = 0; phase < plan.phases.rounds(); ++phase) {
    last_ = machine_.run(plan.phases.messages(phase));
    figures.add(plan.reserved(phase), last_);
  }
  return figures;
}

std::vector<std::size_t> StepTrial::loads() const {
  std::vector<std::size_t> loads(network_->channels().size());
  const std::size_t end = machine_.first(last_.delays.size());
  for (std::size_t at = 0; at < end; ++at) ++loads[machine_.channel(at)];
  return loads;
}

std::vector<std::size_t> StepTrial::loads_of_paths() const {
  const std::vector<std::size_t> loads = this->loads();
  return tabulated(last_.delays.size(), [&](std::size_t p) {
    return sum_of<std::size_t>(numbers(machine_.first(p), machine_.first(p + 1)),
                               [&](std::size_t at) { return loads[machine_.channel(at)]; });
  });
}

std::size_t StepTrial::network_steps(const Instance& packets) const {
  std::vector<int> table(network_->node_count(), -1);
  for (const Transfer& packet : packets) {
    table[index(packet.from)] = static_cast<int>(index(packet.to));
  }
  ordered_json workload = workload_.effective();
  workload["kind"] = "permutation";
  workload["permutation"] = table;
  const ordered_json result =
      run_on_network({{"topology", section_},
                      {"router", {{"kind", "store_and_forward"}, {"buffer_depth", 32}}},
                      {"routing", routing_section_.effective()},
                      {"workload", workload}});
  return result.at("permutation").at("network_steps");
}

void RunFigures::add(const std::string& name, const std::vector<std::size_t>& values) {
  means_[name].push_back(mean_of({values.begin(), values.end()}));
  largest_[name] = std::max(largest_[name], *std::max_element(values.begin(), values.end()));
}

void RunFigures::add(const StepFigures& run) {
  add("T", {run.steps});
  add("queue", {run.max_queue});
  add("delay", {run.max_delay});
  add("held", {run.max_held});
  add("congestion", {run.congestion});
  add("distance", {run.longest_path});
  for (std::size_t p = 0; p < run.phase_steps.size(); ++p) {
    add("T" + std::to_string(p + 1), {run.phase_steps[p]});
  }
}

double RunFigures::mean(const std::string& name) const { return mean_of(means_.at(name)); }

ordered_json RunFigures::figures() const {
  ordered_json figures = ordered_json::object();
  for (const auto& [name, means] : means_) {
    figures["largest_" + name] = largest(name);
    figures["mean_" + name] = mean_of(means);
    figures["mean_" + name + "_half_width"] = half_width_95(means).value_or(0);
  }
  return figures;
}

Instance instance_on(const Topology& network, const ordered_json& permutation) {
  InstanceContext context;
  context.grid = network.node_grid();
  context.network = network.name();
  context.is_cube = all_of(context.grid, [](std::size_t size) { return size <= 2; });
  return make_instance(
      read_section("workload", {permutation_param()},
                   ordered_json{{"permutation", permutation}}.dump(), "parameters"),
      context);
}

namespace {

Instance instance_named(const Section& parameters, const Topology& network) {
  const std::string& name = parameters.text("instance");
  const std::vector<std::size_t> sizes = network.node_grid();
  const std::size_t nodes = network.node_count();
  if (name == "point_reflection" || name == "reversal") {
    DestinationTable table = all_nodes(nodes);
    std::reverse(table.begin(), table.end());
    return instance_of(table);
  }
  const bool is_odd_cube = is_power_of_two(nodes) && bit_count(nodes) % 2 == 1;
  if (name == "midflip" && is_odd_cube) return instance_of(transpose_midflip(nodes));
  if (name == "B3" && sizes == std::vector<std::size_t>(3, sizes[0])) {
    return worst_dimension_order(sizes[0]);
  }
  if (sizes.size() == 2 && name == "worst_buffer") return worst_buffer(sizes[0], sizes[1]);
  if (sizes.size() == 2 && sizes[0] == sizes[1] && name == "transposition") {
    return instance_of(transpose_square(sizes[0]));
  }
  parameters.fail("instance", name + " is not defined on " + network.name(),
                  "B3 is on k x k x k, midflip on 2^n nodes with an odd n, transposition on n x n");
}

}  // namespace

void for_all_permutations(const Section& parameters, const std::string& key, std::size_t nodes,
                          const InstanceVisitor& visit) {
  constexpr std::size_t kMostNodes = 9;
  if (nodes > kMostNodes) {
    parameters.fail(key, fmt::format("there are too many permutations of {} nodes", nodes),
                    fmt::format("take at most {} nodes, or random ones", kMostNodes));
  }
  DestinationTable table = all_nodes(nodes);
  do {
    visit(instance_of(table));
  } while (std::next_permutation(table.begin(), table.end()));
}

void for_each_instance(const Section& parameters, const Topology& network,
                       const InstanceVisitor& visit) {
  const std::size_t packets = parameters.count("packets");
  const auto take = [&](Instance instance) {
    if (packets != 0 && packets < instance.size()) instance.resize(packets);
    visit(instance);
  };
  std::vector<std::int64_t> list = parameters.integers("destinations");
  if (!list.empty()) {
    list.resize(std::max(list.size(), network.node_count()), -1);
    return take(instance_on(network, list));
  }
  const std::string& name = parameters.text("instance");
  if (name == "all") {
    return for_all_permutations(parameters, "instance", network.node_count(), take);
  }
  if (name != "random") return take(instance_named(parameters, network));
  for (std::size_t run = 0; run < parameters.count("runs"); ++run) {
    take(instance_of(random_permutation(parameters.count("seed") + run, network.node_count())));
  }
}

std::vector<std::size_t> plane_of(const Section& parameters) {
  const std::vector<std::size_t> sizes = counts_of(parameters, "sizes");
  const std::size_t n = parameters.count("n");
  if (sizes.size() == 2) return {sizes[1], sizes[0]};
  if (!sizes.empty()) parameters.fail("sizes", "a mesh of rows and columns", "write M(5,7)");
  const auto chosen = [&](const char* key) {
    return parameters.count(key) == 0 ? n : parameters.count(key);
  };
  return {chosen("columns"), chosen("rows")};
}

void add_largest(const StepTrial& trial, const RunFigures& runs, Figures& figures) {
  for (const char* name : {"T", "queue", "delay", "held", "congestion", "distance"}) {
    figures[name] = runs.largest(name);
  }
  for (std::size_t p = 1; runs.has("T" + std::to_string(p)); ++p) {
    figures["phases"].push_back(runs.largest("T" + std::to_string(p)));
  }
  const std::vector<std::size_t> sizes = trial.network().node_grid();
  if (sizes.size() != 2) return;
  figures["columns"] = sizes[0];
  figures["rows"] = sizes[1];
}

Figures play_instances(StepTrial& trial, const Section& parameters, const InstanceVisitor& visit) {
  constexpr std::size_t kMostNodesRun = 256;
  RunFigures runs;
  Figures figures;
  std::size_t delayed = 0;
  for_each_instance(parameters, trial.network(), [&](const Instance& packets) {
    const StepFigures run = trial.play(packets);
    runs.add(run);
    if (run.max_delay > 0) ++delayed;
    visit(packets);
  });
  add_largest(trial, runs, figures);
  figures["instances"] = runs.runs("T");
  figures["delayed"] = delayed;
  if (runs.runs("T") > 1 || trial.network().node_count() > kMostNodesRun) return figures;
  const std::size_t steps = trial.network_steps(trial.packets());
  figures["network_steps"] = steps;
  if (steps != runs.largest("T")) {
    throw std::logic_error("the network and the step machine take different steps");
  }
  return figures;
}

namespace {

/// The packets that a plan does not lead from their sources to their destinations.
std::size_t undelivered(const Schedule& phases, const Instance& packets) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    bool leads = true;
    NodeId at = packets[p].from;
    for (std::size_t phase = 0; phase < phases.rounds(); ++phase) {
      const Message& move = phases.messages(phase)[p];
      leads = leads && move.from == at;
      at = move.to;
    }
    if (!leads || at != packets[p].to) ++count;
  }
  return count;
}

}  // namespace

Figures play_runs(StepTrial& trial, const Section& parameters, const Instance& packets) {
  RunFigures runs;
  const std::vector<PermutationClaim> claims = trial.claims(packets);
  std::vector<std::size_t> exceeded(claims.size());
  std::size_t lost = 0;
  for (std::size_t run = 0; run < parameters.count("runs"); ++run) {
    const MovePlan plan = trial.plan(packets, run);
    const StepFigures figures = trial.play(plan);
    runs.add(figures);
    lost += undelivered(plan.phases, packets);
    for (std::size_t c = 0; c < claims.size(); ++c) exceeded[c] += !claims[c].holds(figures);
  }
  Figures figures{runs.figures()};
  figures["undelivered"] = lost;
  figures["exceeded"] = exceeded;
  return figures;
}

}  // namespace flitcast::claims
