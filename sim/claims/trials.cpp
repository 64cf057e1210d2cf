// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/trials.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/cost.h"
#include "config/wording.h"
#include "sim/experiment/model.h"
#include "sim/host/process.h"
#include "sim/measure/measurement.h"
#include "sim/results/drawing.h"
#include "sim/results/result.h"
#include "sim/sweep/sweep.h"
#include "topology/catalog.h"

namespace flitcast::claims {
namespace {

/// By the letters that documents write: the networks that they denote, and the keys of the section
/// `topology` with the sizes.
const std::map<char, std::pair<const char*, const char*>> kFamilies{
    {'T', {"torus", "sizes"}},
    {'M', {"mesh", "sizes"}},
    {'Q', {"hypercube", "dimension"}},
    {'K', {"complete", "nodes"}}};

/// The most messages of a schedule that is run on the network, a few seconds of simulation.
constexpr std::size_t kMostMessagesRun = 20000;
/// The most messages of a schedule that is listed.
constexpr std::size_t kMostSendsListed = 63;
/// The least cycles of a start-up together with those of a flit.
constexpr std::size_t kInterfaceCycles = 5;

/// Adds the messages and the senders by round.
void add_messages(const Schedule& schedule, Figures& figures) {
  figures["sent"] = tabulated(schedule.rounds(),
                              [&](std::size_t round) { return schedule.messages(round).size(); });
  figures["senders"] = tabulated(schedule.rounds(), [&](std::size_t round) {
    const std::vector<NodeId> senders = mapped(schedule.messages(round), &Message::from);
    return std::set<NodeId>(senders.begin(), senders.end()).size();
  });
}

}  // namespace

ordered_json topology_section(const std::string& name, const std::string& key) {
  const auto family = kFamilies.find(name.empty() ? ' ' : name[0]);
  if (family != kFamilies.end()) {
    std::string sizes = name.substr(1);
    if (sizes.size() > 1 && sizes.front() == '(' && sizes.back() == ')') {
      sizes = "[" + sizes.substr(1, sizes.size() - 2) + "]";
    }
    const ordered_json value = ordered_json::parse(sizes, nullptr, false);
    const auto [kind, key_of_sizes] = family->second;
    if (!value.is_discarded()) return {{"kind", kind}, {key_of_sizes, value}};
  }
  fail_option(key, quoted(name) + " is no network", "write T(4,5), M(3,3,4), Q5 or K8");
}

std::unique_ptr<Topology> network_named(const std::string& name, const std::string& key) {
  const ordered_json section = topology_section(name, key);
  const Section topology =
      read_section("topology", topology_keys(), section.dump(), "parameter " + key);
  return make_topology(topology);
}

NodeId source_in(const Section& parameters, const Topology& topology) {
  const std::vector<std::size_t> sizes = topology.node_grid();
  std::vector<std::size_t> place = counts_of(parameters, "source");
  const bool in_the_middle = parameters.has("from") && parameters.text("from") == "centre";
  if (in_the_middle && !parameters.given("source")) {
    place = mapped(sizes, [](std::size_t size) { return (size - 1) / 2; });
  }
  std::size_t node = place.size() == 1 ? place[0] : 0;
  bool exists = place.size() == 1 ? node < topology.node_count() : place.size() <= sizes.size();
  if (place.size() != 1) place.resize(sizes.size());  // Coordinates that are missing are 0.
  for (std::size_t d = sizes.size(); place.size() != 1 && exists && d-- > 0;) {
    exists = place[d] < sizes[d];
    node = node * sizes[d] + place[d];
  }
  if (exists) return to_id<NodeId>(node);
  parameters.fail("source", "is no node of " + topology.name(),
                  fmt::format("give a number from 0 to {}, or {} coordinates",
                              topology.node_count() - 1, sizes.size()));
}

VerifiedCollective on_step_machine(const CollectiveContext& context, const std::string& algorithm,
                                   const std::string& keys) {
  const CollectiveEntry& entry = *collectives().find(algorithm);
  const Section workload = example_of(entry, "workload.algorithm", keys);
  Collective collective = entry.make(workload, context);
  Verification verification =
      verify(context.topology, collective.plan.schedule, collective.demand, collective.discipline);
  collective.discipline.ports = context.ports;  // Lower bounds are those of the machine.
  return {std::move(collective), std::move(verification)};
}

ordered_json run_on_network(const ordered_json& experiment) {
  const Configuration configuration =
      Sweep(parse_document(experiment.dump(), "experiment"), experiment_schema()).point(0);
  const ChildEnd end = run_in_child(
      [&] {
        const Model model = make_model(configuration, false);
        Measurement measurement = measure(model, measurement_plan(configuration),
                                          [](const std::string&, std::uint64_t, std::uint64_t) {});
        ordered_json result = to_json(measurement, configuration, model, 0);
        for (const char* part : {"config", "links"}) result.erase(part);
        std::cout << '\n' << result.dump() << std::flush;
        static_cast<void>(measurement.network.release());  // The process ends anyway.
        return kDone;
      },
      [] {});
  const std::string line = end.output.substr(end.output.rfind('\n') + 1);
  ordered_json result = ordered_json::parse(line, nullptr, false);
  if (end.exit_code != kDone || result.is_discarded()) {
    throw std::runtime_error("a run on the network ended with " + end.text() + ": " + end.output);
  }
  return result;
}

CollectiveTrial::CollectiveTrial(std::string network, NodeId source, CollectiveChoice choice)
    : network_(std::move(network)),
      topology_(network_named(network_, "network")),
      source_(source),
      choice_(std::move(choice)),
      verified_(on_step_machine({*topology_, source, choice_.ports, choice_.operation},
                                choice_.algorithm, choice_.keys)) {}

Figures CollectiveTrial::figures() const {
  const auto& [demand, machine, plan] = collective();
  const std::size_t bound = lower_bound(*topology_, demand, machine).rounds;
  Figures figures{{{"nodes", nodes()},
                   {"channels", topology_->channels().size()},
                   {"rounds", found().rounds},
                   {"transmissions", found().transmissions},
                   {"duplicates", found().duplicates},
                   {"faults", found().faults},
                   {"new", found().new_per_round},
                   {"paths", found().longest_path_per_round},
                   {"lower_bound", bound},
                   {"bound", bound},
                   {"bound_in_order", lower_bound(*topology_, demand, machine, true).rounds}}};
  std::vector<std::size_t> informed{1};
  for (const std::size_t news : found().new_per_round) informed.push_back(informed.back() + news);
  figures["informed"] = informed;
  add_messages(plan.schedule, figures);
  if (plan.schedule.size() <= kMostSendsListed) figures["sends"] = sends();
  if (nodes() <= kMostNodesDrawn) figures.drawings = {drawing_of(*topology_, plan.schedule)};
  return figures;
}

ordered_json CollectiveTrial::sends(std::size_t shift) const {
  return tabulated(schedule().rounds(), [&](std::size_t round) {
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const Message& message : schedule().messages(round)) {
      pairs.insert(
          {(index(message.from) + shift) % nodes(), (index(message.to) + shift) % nodes()});
    }
    return mapped(pairs,
                  [](const auto& ends) { return fmt::format("{}->{}", ends.first, ends.second); });
  });
}

ordered_json CollectiveTrial::experiment(const Section& costs, bool worms) const {
  const bool is_grid = topology_as<Grid>(*topology_) != nullptr;
  const bool is_cube = topology_as<Hypercube>(*topology_) != nullptr;
  const char* routing = choice_.algorithm == "recursive_tiling" ? "o1turn"
                        : is_grid                               ? "dimension_order"
                        : is_cube                               ? "e_cube"
                                                                : "shortest_path";
  const bool is_broadcast = choice_.operation == Operation::kBroadcast;
  ordered_json experiment{{"topology", topology_section(network_, "network")},
                          {"router", {{"kind", worms ? "wormhole" : "store_and_forward"}}},
                          {"routing", {{"kind", routing}}},
                          {"node", {{"ports", choice_.ports == 1 ? "one" : "all"}}},
                          {"workload",
                           {{"kind", "collective"},
                            {"operation", is_broadcast ? "broadcast" : "gossip"},
                            {"algorithm", choice_.algorithm}}}};
  if (is_broadcast) experiment["workload"]["source"] = index(source_);
  if (!costs.has("ts")) return experiment;
  experiment["workload"]["length"] = costs.count("m");
  experiment["node"]["startup"] = costs.count("ts");
  experiment["link"] = {{"latency", costs.count("td") - 1}, {"cycles_per_flit", costs.count("tm")}};
  ordered_json& router = experiment["router"];
  router["pipeline"] = {
      {"route", 0}, {"vc_allocation", 0}, {"switch_allocation", 1}, {"traversal", 0}};
  if (worms) router["virtual_channels"] = is_grid ? 4 : 1;
  if (worms) router["buffer_depth"] = 2 * costs.count("td") + 16;
  return experiment;
}

void CollectiveTrial::add_run(const Section& costs, Switching switching, Figures& figures,
                              const std::string& suffix) const {
  if (costs.has("ts")) {
    const CostModel model{costs.count("ts"), costs.count("td"), costs.count("tm"),
                          costs.count("m")};
    figures["time" + suffix] = analytic_cycles(model, switching, found());
    if (model.hop < 2 || model.startup + model.flit < kInterfaceCycles) return;
  }
  const std::size_t messages = schedule().size();
  if (messages == 0 || messages > kMostMessagesRun || !choice_.keys.empty()) return;
  const ordered_json result = run_on_network(experiment(costs, switching == Switching::kWormhole));
  const ordered_json& run = result.at("collective");
  figures["cycles" + suffix] = run.at("cycles");
  figures["analytic_cycles" + suffix] = run.at("analytic_cycles");
  if (run.at("cycles") == run.at("analytic_cycles")) return;
  figures.add("faults", 1);
}

unsigned ports_of(const Section& parameters) {
  return parameters.text("ports") == "1_port" ? 1 : kAllPorts;
}

Figures compared(const Section& parameters, const std::string& network,
                 const std::vector<CollectiveChoice>& choices) {
  const NodeId source = source_in(parameters, *network_named(network, "network"));
  Figures all;
  std::size_t faults = 0;
  for (const CollectiveChoice& choice : choices) {
    const bool on_mesh = choice.algorithm == "chain_halving";
    const CollectiveTrial trial(on_mesh ? "M" + network.substr(1) : network, source, choice);
    Figures one = trial.figures();
    trial.add_run(parameters, one);
    for (const auto& [name, value] : one.values.items()) {
      all[name + "_" + choice.name] = value;
    }
    faults += one["faults"].get<std::size_t>();
    all.drawings.insert(all.drawings.end(), one.drawings.begin(), one.drawings.end());
  }
  all["faults"] = faults;
  return all;
}

}  // namespace flitcast::claims
