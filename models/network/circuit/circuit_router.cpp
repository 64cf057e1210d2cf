// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "clos/catalog.h"
#include "network/circuit/circuit_network.h"
#include "network/circuit/packet_admission.h"
#include "network/router_entry.h"

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
  return std::make_unique<CircuitNetwork>("circuits", dynamic_cast<const Clos&>(parts.topology),
                                          parts.source, *parts.groups, parts.params.circuits,
                                          parts.probes.empty() ? nullptr : parts.probes.front());
}

void require_circuits_fit(const Configuration& configuration, const Topology& topology,
                          const NetworkParams&) {
  const auto* clos = dynamic_cast<const Clos*>(&topology);
  if (clos == nullptr) return;  // The central control says so.
  try {
    CircuitNetwork::require_fit(*clos);
  } catch (const std::invalid_argument& error) {
    configuration.section("topology")
        .fail("kind", fmt::format("{} is too large for circuits: {}", clos->name(), error.what()),
              "use fewer or smaller switches");
  }
}

void configure_circuits(const Section& router, const RouterContext& context,
                        NetworkParams& params) {
  const auto cycles = [&](const char* key) {
    return static_cast<std::uint32_t>(router.integer(key));
  };
  params.threads = 1;  // There is one process.
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
        "when_blocked: drop"}}};
  entry.configure = configure_circuits;
  entry.require_fit = require_circuits_fit;
  entry.figures = circuit_figures().meanings();
  return entry;
}

}  // namespace flitcast
