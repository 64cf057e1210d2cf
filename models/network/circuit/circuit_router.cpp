// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "clos/catalog.h"
#include "network/circuit/central_control.h"
#include "network/circuit/circuit_network.h"
#include "network/router_entry.h"
#include "routing/catalog.h"

namespace flitcast {

namespace {

std::vector<Param> circuit_keys() {
  constexpr double kMostCycles = 4095;
  std::vector<Param> params = catalog_params(
      Param::choice("controller", "Design of the controller: its clocks.").defaults_to("par_adder"),
      clos::controllers());
  params.push_back(Param::choice(
      "when_blocked", "A request that finds no path: again after the next release, or given up.",
      {"retry", "drop"}));
  const auto cycles = [&params](const char* key, const char* help, double least) {
    params.push_back(Param::integer(key, "cycles", help, least, kMostCycles).defaults_to(1));
  };
  cycles("request_cycles", "From a node to the controller.", 0);
  cycles("configuration_cycles", "Writing the crossbars of a path.", 0);
  cycles("stage_cycles", "Through a crossbar and the link behind it.", 1);
  cycles("teardown_cycles", "From the last arrival until ports and links are idle.", 0);
  return params;
}

std::unique_ptr<Network> make_circuits(const NetworkParts& parts) {
  return std::make_unique<CircuitNetwork>("circuits", *topology_as<Clos>(parts.topology),
                                          parts.source, *parts.groups, parts.params.circuits,
                                          parts.probes.empty() ? nullptr : parts.probes.front());
}

void fit_circuits(const FitContext& context) {
  constexpr const char* kNothing = "means nothing in a circuit-switched network";
  const Configuration& configuration = context.configuration;
  for (const char* key :
       {"latency", "credit_latency", "cycles_per_flit", "classes", "exceptions"}) {
    if (!configuration.section("link").given(key)) continue;
    context.refuse("link", key, kNothing,
                   "leave it out; router.stage_cycles is the way through a crossbar and its link");
  }
  if (configuration.section("node").given("startup")) {
    context.refuse("node", "startup", kNothing,
                   "leave it out; router.request_cycles is the way to the controller");
  }
  if (!context.can.has_multicasts) {
    context.refuse("routing", "kind", "circuits are set up by a central control",
                   "use central_control, on a clos topology");
  }
  const std::string reason = CircuitNetwork::reason_too_large(context.topology);
  if (reason.empty() || !accepts<Clos>()(context.topology)) return;
  context.refuse("topology", "kind",
                 context.topology.name() + " is too large for circuits: " + reason,
                 "use fewer or smaller switches");
}

void configure_circuits(const Section& router, const RouterContext& context,
                        NetworkParams& params) {
  const auto cycles = [&](const char* key) {
    return static_cast<std::uint32_t>(router.integer(key));
  };
  params.threads = 1;  // A circuit network has one process.
  CircuitParams& circuits = params.circuits;
  circuits.request_cycles = cycles("request_cycles");
  circuits.configuration_cycles = cycles("configuration_cycles");
  circuits.stage_cycles = cycles("stage_cycles");
  circuits.teardown_cycles = cycles("teardown_cycles");
  circuits.controller = router.text("controller");
  circuits.when_blocked =
      router.text("when_blocked") == "drop" ? WhenBlocked::kDrop : WhenBlocked::kRetry;
  circuits.seed = context.seed;
}

}  // namespace

RouterEntry circuit_router() {
  RouterEntry entry{
      {"circuit",
       "No buffers: a central controller sets the crossbars of a Clos network, then flits stream.",
       circuit_keys,
       make_circuits,
       {"controller: par_adder", "controller: seq_adder, stage_cycles: 2, teardown_cycles: 3",
        "when_blocked: drop"},
       fit_circuits}};
  entry.can.has_buffers = entry.can.has_classes = entry.can.has_known_latency = false;
  entry.can.shows_nodes = true;
  entry.configure = configure_circuits;
  entry.figures = circuit_figures().meanings();
  entry.round_cycles = circuit_round_cycles;
  return entry;
}

}  // namespace flitcast
