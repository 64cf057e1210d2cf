// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/trials.h"

#include <fmt/format.h>

#include <iostream>
#include <stdexcept>
#include <vector>

#include "collective/cost.h"
#include "config/wording.h"
#include "sim/experiment/model.h"
#include "sim/host/process.h"
#include "sim/measure/measurement.h"
#include "sim/results/result.h"
#include "sim/sweep/sweep.h"
#include "topology/catalog.h"

namespace flitcast::claims {
namespace {

/// The letters that documents write, and the networks that they denote.
struct Family {
  char letter;
  const char* kind;
  const char* key;  ///< The key of the section `topology` with the sizes.
};
constexpr Family kFamilies[] = {{'T', "torus", "sizes"},
                                {'M', "mesh", "sizes"},
                                {'Q', "hypercube", "dimension"},
                                {'K', "complete", "nodes"}};

Configuration configuration_of(const ordered_json& experiment) {
  return Sweep(parse_document(experiment.dump(), "experiment"), experiment_schema()).point(0);
}

}  // namespace

ordered_json topology_section(const std::string& name, const std::string& key) {
  for (const Family& family : kFamilies) {
    if (name.empty() || name[0] != family.letter) continue;
    std::string sizes = name.substr(1);
    if (sizes.size() > 1 && sizes.front() == '(' && sizes.back() == ')') {
      sizes = "[" + sizes.substr(1, sizes.size() - 2) + "]";
    }
    ordered_json value = ordered_json::parse(sizes, nullptr, false);
    if (value.is_discarded()) break;
    return {{"kind", family.kind}, {family.key, std::move(value)}};
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
    place.clear();
    for (const std::size_t size : sizes) place.push_back((size - 1) / 2);
  }
  std::size_t node = place.size() == 1 ? place[0] : 0;
  bool exists = place.size() == 1 ? node < topology.node_count() : place.size() == sizes.size();
  std::size_t stride = 1;
  for (std::size_t d = 0; place.size() != 1 && exists && d < sizes.size(); ++d) {
    exists = place[d] < sizes[d];
    node += stride * place[d];
    stride *= sizes[d];
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

void add_figures(const Topology& topology, const VerifiedCollective& verified,
                 ordered_json& figures) {
  const auto& [collective, found] = verified;
  figures["rounds"] = found.rounds;
  figures["transmissions"] = found.transmissions;
  figures["duplicates"] = found.duplicates;
  figures["new"] = found.new_per_round;
  figures["paths"] = found.longest_path_per_round;
  figures["faults"] = found.faults;
  figures["lower_bound"] = lower_bound(topology, collective.demand, collective.discipline).rounds;
}

ordered_json schedule_figures(const ordered_json& experiment) {
  const Configuration configuration = configuration_of(experiment);
  return make_unplayed(configuration).workload->schedule_figures();
}

ordered_json run_on_network(const ordered_json& experiment) {
  const Configuration configuration = configuration_of(experiment);
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

void add_network_figures(const ordered_json& topology, const ordered_json& workload,
                         const VerifiedCollective& verified, ordered_json& figures,
                         const ordered_json& further) {
  if (verified.verification.transmissions > kMostMessagesRun) return;
  ordered_json experiment{{"topology", topology},
                          {"router", {{"kind", "store_and_forward"}}},
                          {"routing", {{"kind", "dimension_order"}}},
                          {"node", {{"ports", "all"}}},
                          {"workload", workload}};
  experiment.update(further);
  const ordered_json result = run_on_network(experiment);
  const ordered_json& collective = result.at("collective");
  figures["cycles"] = collective.at("cycles");
  figures["analytic_cycles"] = collective.at("analytic_cycles");
  if (figures["cycles"] != figures["analytic_cycles"]) {
    figures["faults"] = figures["faults"].get<std::size_t>() + 1;
  }
}

}  // namespace flitcast::claims
