// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

Catalog<Implementation>& implementations() {
  static Catalog<Implementation> catalog{fast(), with_pins()};
  return catalog;
}

const Implementation& implementation_of(const Configuration& configuration) {
  return *implementations().find(configuration.section("run").text("implementation"));
}

}  // namespace flitcast
