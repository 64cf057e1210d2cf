// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_modules.h"

#include <string>

namespace flitcast {

NetworkModules::NetworkModules(const CircuitNetwork& circuits, const Clos::Network& network)
    : circuits_(circuits) {
  for (std::size_t i = 0; i < network.level().r1; ++i) {
    add_switch("input_switch_", i, network.input_switch(i));
  }
  for (std::size_t j = 0; j < network.level().m; ++j) {
    if (network.nested()) {
      const std::string name = "middle_" + std::to_string(j);
      modules_.push_back(
          std::make_unique<MiddleNetwork>(name.c_str(), circuits, network.middle_network(j)));
    } else {
      add_switch("middle_switch_", j, network.middle_switch(j));
    }
  }
  for (std::size_t k = 0; k < network.level().r2; ++k) {
    add_switch("output_switch_", k, network.output_switch(k));
  }
  if (circuits.params().full_hierarchy) add_links(network);
}

// The kernel searches for a child from the front of its list and moves the last child into the gap:
// if the first child is removed first, the last one is always found immediately.
NetworkModules::~NetworkModules() {
  if (!modules_.empty()) modules_.front().reset();
  while (!modules_.empty()) modules_.pop_back();
}

void NetworkModules::add_switch(const char* stage, std::size_t place, RouterId router) {
  const std::string name = stage + std::to_string(place);
  modules_.push_back(
      std::make_unique<CrossbarSwitch>(name.c_str(), circuits_.stages(), index(router)));
}

void NetworkModules::add_links(const Clos::Network& network) {
  const auto name = [](const char* kind, std::size_t from, std::size_t to) {
    return kind + std::to_string(from) + "_" + std::to_string(to);
  };
  for (std::size_t j = 0; j < network.level().m; ++j) {
    const PortId port{static_cast<std::uint16_t>(j)};
    for (std::size_t i = 0; i < network.level().r1; ++i) {
      add_link(name("link_a_", i, j), {network.input_switch(i), port}, network.middle_input(j, i));
    }
    for (std::size_t k = 0; k < network.level().r2; ++k) {
      add_link(name("link_b_", j, k), network.middle_output(j, k),
               {network.output_switch(k), port});
    }
  }
}

void NetworkModules::add_link(const std::string& name, Endpoint from, Endpoint to) {
  const Channel channel{from, to, circuits_.params().stage_cycles};
  modules_.push_back(std::make_unique<Link>(name.c_str(), channel, circuits_.stages().link(from)));
}

CircuitModules::CircuitModules(CircuitNetwork& circuits)
    : network_(circuits, circuits.topology().network()), controller_("controller", circuits) {
  for (std::uint32_t node = 0; node < circuits.topology().node_count(); ++node) {
    const std::string name = "terminal_" + std::to_string(node);
    terminals_.push_back(std::make_unique<CircuitTerminal>(name.c_str(), NodeId{node}, circuits));
  }
}

CircuitModules::~CircuitModules() {
  while (!terminals_.empty()) terminals_.pop_back();
}

}  // namespace flitcast
