// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/mesh_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "collective/demand.h"
#include "config/configuration.h"
#include "permutation/experiment.h"
#include "routing/dimension_order.h"
#include "sim/claims/trials.h"
#include "topology/catalog.h"

namespace flitcast::claims {

void MeshRun::raise_to(const MeshRun& other) {
  phases.resize(std::max(phases.size(), other.phases.size()));
  for (std::size_t p = 0; p < other.phases.size(); ++p) {
    phases[p] = std::max(phases[p], other.phases[p]);
  }
  for (const auto figure : {&MeshRun::steps, &MeshRun::queue, &MeshRun::held, &MeshRun::congestion,
                            &MeshRun::distance, &MeshRun::delay}) {
    this->*figure = std::max(this->*figure, other.*figure);
  }
}

MeshTrial::MeshTrial(const std::vector<std::size_t>& sizes, const std::string& algorithm,
                     const std::string& keys, const std::string& discipline)
    : mesh_(flitcast::mesh(sizes)),
      ends_(all_nodes(mesh_.node_count())),
      workload_(read_section("workload", permutation_params(),
                             fmt::format("{{permutation: identity, algorithm: {}{}{}}}", algorithm,
                                         keys.empty() ? "" : ", ", keys),
                             "parameters")),
      entry_(*permutation_algorithms().find(algorithm)),
      routing_(std::make_unique<DimensionOrder>(mesh_, DimensionOrder::Params{})),
      priority_(queue_priorities()
                    .find(discipline)
                    ->make(Section::of("router", {{"priority", discipline}}), {mesh_, 1})),
      paths_(mesh_, *routing_, 1),
      machine_(paths_, *priority_) {}

MovePlan MeshTrial::plan(const Instance& packets, std::uint64_t run) const {
  return entry_.make(workload_, {mesh_, ends_, packets, run});
}

MeshRun MeshTrial::play(const MovePlan& plan) {
  MeshRun run;
  for (std::size_t phase = 0; phase < plan.phases.rounds(); ++phase) {
    moves_ = plan.phases.messages(phase).size();
    PhaseOutcome outcome = machine_.run(plan.phases.messages(phase));
    run.phases.push_back(std::max(outcome.steps, plan.reserved(phase)));
    run.steps += run.phases.back();
    run.queue = std::max(run.queue, outcome.max_queue);
    run.held = std::max(run.held, outcome.max_held);
    run.congestion = std::max(run.congestion, outcome.congestion);
    run.distance = std::max(run.distance, outcome.longest_path);
    for (const std::uint32_t delay : outcome.delays) {
      run.delay = std::max<std::size_t>(run.delay, delay);
    }
    run.delays = std::move(outcome.delays);
  }
  return run;
}

std::string MeshTrial::most_loaded() const {
  std::vector<std::size_t> load(mesh_.channels().size());
  for (std::size_t at = 0; at < machine_.first(moves_); ++at) ++load[machine_.channel(at)];
  const auto most = std::max_element(load.begin(), load.end());
  const Channel& channel = mesh_.channels()[static_cast<std::size_t>(most - load.begin())];
  const auto place = [&](RouterId router) {
    std::vector<std::size_t> at;
    for (std::size_t d = 0; d < mesh_.dimensions(); ++d) {
      at.push_back(mesh_.coordinate(to_id<NodeId>(index(router)), d));
    }
    return fmt::format("({})", fmt::join(at, ","));
  };
  return place(channel.from.router) + " to " + place(channel.to.router);
}

std::vector<Param> with_instances(std::vector<Param> keys, std::vector<std::string> names,
                                  std::size_t runs) {
  for (Param& key : std::vector<Param>{
           Param::choice("instance", "The permutation.", std::move(names)),
           Param::integer("runs", "", "Random permutations.", 1, 1e5).defaults_to(runs),
           Param::integer("seed", "", "Seed of the first one.", 0, 1e9).defaults_to(1),
           Param::integer("packets", "", "Packets of each; 0: all.", 0, 1e6).defaults_to(0),
           Param::integers("destinations", "", "The destination of every node, -1: none.", -1, 1e6)
               .defaults_to(ordered_json::array())}) {
    keys.push_back(std::move(key));
  }
  return keys;
}

namespace {

/// The largest number of nodes of which all permutations are tried.
constexpr std::size_t kMostNodesPermuted = 9;

Instance listed_mesh_instance(const Section& parameters, std::size_t nodes) {
  Instance packets;
  const std::vector<std::int64_t> list = parameters.integers("destinations");
  for (std::size_t from = 0; from < list.size(); ++from) {
    if (list[from] < 0) continue;
    packets.push_back({to_id<NodeId>(from), to_id<NodeId>(static_cast<std::size_t>(list[from]))});
  }
  const bool inside = std::all_of(packets.begin(), packets.end(), [&](const Transfer& packet) {
    return index(packet.from) < nodes && index(packet.to) < nodes;
  });
  if (inside && one_per_destination(packets)) return packets;
  parameters.fail("destinations", "the list is no permutation of the nodes",
                  fmt::format("give at most {0} numbers below {0}, each at most once", nodes));
}

void for_all_mesh_permutations(const Section& parameters, std::size_t nodes,
                               const std::function<void(const Instance&)>& visit) {
  if (nodes > kMostNodesPermuted) {
    parameters.fail("instance", fmt::format("there are too many permutations of {} nodes", nodes),
                    fmt::format("take at most {} nodes, or random ones", kMostNodesPermuted));
  }
  DestinationTable table = all_nodes(nodes);
  do {
    visit(instance_of(table));
  } while (std::next_permutation(table.begin(), table.end()));
}

Instance named_mesh_instance(const Section& parameters, const std::vector<std::size_t>& sizes,
                             std::size_t nodes) {
  const std::string& name = parameters.text("instance");
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
  const bool is_cube_only = name == "B3" || name == "midflip";
  parameters.fail(
      "instance", name + " is not defined on this mesh",
      is_cube_only ? "B3 is on k x k x k, midflip on 2^n nodes with an odd n" : "it is on n x n");
}

}  // namespace

void for_each_instance(const Section& parameters, const std::vector<std::size_t>& sizes,
                       const std::function<void(const Instance&)>& visit) {
  const std::size_t nodes =
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
  const std::size_t packets = parameters.count("packets");
  const auto take = [&](Instance instance) {
    if (packets != 0 && packets < instance.size()) instance.resize(packets);
    visit(instance);
  };
  if (!parameters.integers("destinations").empty())
    return take(listed_mesh_instance(parameters, nodes));
  const std::string& name = parameters.text("instance");
  if (name == "all") return for_all_mesh_permutations(parameters, nodes, take);
  if (name != "random") return take(named_mesh_instance(parameters, sizes, nodes));
  for (std::size_t run = 0; run < parameters.count("runs"); ++run) {
    take(instance_of(random_permutation(parameters.count("seed") + run, nodes)));
  }
}

std::vector<Param> plane_keys(std::size_t most, const std::vector<Param>& more) {
  const auto most_nodes = static_cast<double>(most);
  std::vector<Param> keys{
      Param::integer("n", "", "Rows, and columns.", 1, most_nodes),
      Param::integers("sizes", "", "Rows and columns, of M(5,7).", 1, most_nodes)
          .defaults_to(ordered_json::array()),
      Param::integer("rows", "", "Rows; 0: n.", 0, most_nodes).defaults_to(0),
      Param::integer("columns", "", "Columns; 0: n.", 0, most_nodes).defaults_to(0)};
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
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

void add_mesh_figures(const MeshTrial& trial, const MeshRun& run, ordered_json& figures) {
  figures["T"] = run.steps;
  figures["queue"] = run.queue;
  figures["delay"] = run.delay;
  figures["held"] = run.held;
  figures["congestion"] = run.congestion;
  figures["distance"] = run.distance;
  figures["phases"] = run.phases;
  if (trial.mesh().dimensions() != 2) return;
  figures["columns"] = trial.mesh().size(0);
  figures["rows"] = trial.mesh().size(1);
}

void add_mesh_network(const MeshTrial& trial, const Instance& packets, ordered_json& figures) {
  constexpr std::size_t kMostNodes = 256;
  const std::size_t nodes = trial.mesh().node_count();
  if (nodes > kMostNodes) return;
  std::vector<int> table(nodes, -1);
  for (const Transfer& packet : packets) {
    table[index(packet.from)] = static_cast<int>(index(packet.to));
  }
  ordered_json workload = trial.workload().effective();
  workload["kind"] = "permutation";
  workload["permutation"] = table;
  const ordered_json result =
      run_on_network({{"topology", {{"kind", "mesh"}, {"sizes", trial.mesh().node_grid()}}},
                      {"router", {{"kind", "store_and_forward"}, {"buffer_depth", 32}}},
                      {"routing", {{"kind", "dimension_order"}}},
                      {"workload", workload}});
  figures["network_steps"] = result.at("permutation").at("network_steps");
  if (figures["network_steps"] != figures["T"]) {
    throw std::logic_error("the network and the step machine take different steps");
  }
}

Figures play_instances(MeshTrial& trial, const Section& parameters, Instance& last) {
  MeshRun worst;
  std::size_t instances = 0;
  std::size_t delayed = 0;
  for_each_instance(parameters, trial.mesh().node_grid(), [&](const Instance& packets) {
    const MeshRun run = trial.play(packets);
    worst.raise_to(run);
    ++instances;
    if (run.delay > 0) ++delayed;
    last = packets;
  });
  Figures figures;
  add_mesh_figures(trial, worst, figures.values);
  figures.values["instances"] = instances;
  figures.values["delayed"] = delayed;
  if (instances == 1) add_mesh_network(trial, last, figures.values);
  return figures;
}

}  // namespace flitcast::claims
