// SPDX-License-Identifier: Apache-2.0
#include "network/flow/flow_network.h"
#include "network/network_plan.h"
#include "network/pins/structural_network.h"

namespace flitcast {

// The kinds of routers are defined in kinds/ and circuit/.
RouterEntry wormhole_router();
RouterEntry virtual_cut_through_router();
RouterEntry store_and_forward_router();
RouterEntry circuit_router();

Catalog<RouterEntry>& routers() {
  static Catalog<RouterEntry> catalog{wormhole_router(), virtual_cut_through_router(),
                                      store_and_forward_router(), circuit_router()};
  return catalog;
}

const RouterEntry& router_of(const Configuration& configuration) {
  return *find(routers(), configuration.section("router").text("kind"));
}

namespace {

Implementation fast() {
  return {
      {"fast",
       "Few processes that tick the awake routers and nothing else; fast.",
       {},
       [](const RouterEntry& router, const NetworkParts& parts) { return router.make(parts); }}};
}

void fit_pins(const FitContext& context) {
  const auto refuse = [&](const std::string& what) {
    context.refuse(
        "run", "implementation", what,
        "use run.implementation: " + implementations()[0].name + ", which gives the same results");
  };
  if (!context.can.has_buffers) return refuse("circuits have no modules with pins");
  for (const std::string& problem :
       pins::StructuralNetwork::problems(context.topology, context.params)) {
    refuse(problem);
  }
}

Implementation with_pins() {
  return {{"pins",
           "A module with pins for every router, link, source and sink; slow, with waveforms.",
           {},
           [](const RouterEntry&, const NetworkParts& parts) -> std::unique_ptr<Network> {
             return std::make_unique<pins::StructuralNetwork>("network", parts);
           },
           {},
           fit_pins},
          true,
          false};
}

// Refuses what a run of flows does not have.
void fit_flows(const FitContext& context) {
  const auto refuse = [&](const char* section, const char* key, const std::string& what) {
    context.refuse(section, key, what + "; flows do not", "set " + flow_level().instead);
  };
  const Configuration& configuration = context.configuration;
  const std::string problem =
      problem_of_flows(router_of(configuration), context.params, context.routing);
  if (!problem.empty()) refuse("run", "level", problem);
  if (configuration.section("run").given("implementation"))
    refuse("run", "implementation", "routers have implementations");
  if (context.params.threads > 1) refuse("run", "threads", "routers run in several threads");
  if (configuration.section("measure").count("buffers") != 0)
    refuse("measure", "buffers", "routers have buffers");
  if (configuration.section("measure").count("series") != 0)
    refuse("measure", "series", "routers move flits in every span");
}

}  // namespace

const Implementation& flow_level() {
  static const Implementation flows{
      {"flow",
       "",
       {},
       [](const RouterEntry&, const NetworkParts& parts) -> std::unique_ptr<Network> {
         return std::make_unique<FlowNetwork>(parts);
       },
       {},
       fit_flows},
      false,
      false,
      false,
      "run.level: flit"};
  return flows;
}

Catalog<Implementation>& implementations() {
  static Catalog<Implementation> catalog{fast(), with_pins()};
  return catalog;
}

const Implementation& implementation_of(const Configuration& configuration) {
  const Section& run = configuration.section("run");
  if (run.text("level") == flow_level().name) return flow_level();
  return *implementations().find(run.text("implementation"));
}

}  // namespace flitcast
