// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_modules.h"

#include <string>

namespace flitcast {

NetworkModules::NetworkModules(const CircuitNetwork& circuits,
                               const CircuitLayout::Network& network)
    : circuits_(circuits) {
  const CircuitLayout& layout = circuits.layout();
  const clos::Structure& shape = layout.shape(network);
  for (std::uint32_t i = 0; i < shape.r1; ++i) {
    add_switch("input_switch_", i, layout.input_switch(network, i));
  }
  for (std::uint32_t j = 0; j < shape.m; ++j) {
    if (layout.nested(network)) {
      const std::string name = "middle_" + std::to_string(j);
      modules_.push_back(std::make_unique<MiddleNetwork>(name.c_str(), circuits,
                                                         layout.middle_network(network, j)));
    } else {
      add_switch("middle_switch_", j, layout.middle_switch(network, j));
    }
  }
  for (std::uint32_t k = 0; k < shape.r2; ++k) {
    add_switch("output_switch_", k, layout.output_switch(network, k));
  }
  if (circuits.params().full_hierarchy) add_links(network);
}

// The kernel searches for a child from the front of its list and moves the last one into the gap:
// once the first is gone, the last is always found at once.
NetworkModules::~NetworkModules() {
  if (!modules_.empty()) modules_.front().reset();
  while (!modules_.empty()) modules_.pop_back();
}

void NetworkModules::add_switch(const char* stage, std::uint32_t index, std::uint32_t number) {
  const std::string name = stage + std::to_string(index);
  modules_.push_back(std::make_unique<CrossbarSwitch>(name.c_str(), circuits_.stages(), number));
}

void NetworkModules::add_links(const CircuitLayout::Network& network) {
  const CircuitLayout& layout = circuits_.layout();
  const clos::Structure& shape = layout.shape(network);
  const auto name = [](const char* kind, std::uint32_t from, std::uint32_t to) {
    return kind + std::to_string(from) + "_" + std::to_string(to);
  };
  for (std::uint32_t j = 0; j < shape.m; ++j) {
    for (std::uint32_t i = 0; i < shape.r1; ++i) {
      add_link(name("link_a_", i, j), {layout.input_switch(network, i), j});
    }
    for (std::uint32_t k = 0; k < shape.r2; ++k) {
      add_link(name("link_b_", j, k), layout.middle_output(network, j, k));
    }
  }
}

void NetworkModules::add_link(const std::string& name, const CircuitLayout::Port& from) {
  const auto endpoint = [](const CircuitLayout::Port& port) {
    return Endpoint{RouterId{port.switch_number}, PortId{static_cast<std::uint16_t>(port.port)}};
  };
  const CircuitLayout::Port to = circuits_.layout().target(from.switch_number, from.port);
  const Channel channel{endpoint(from), endpoint(to), circuits_.params().stage_cycles};
  modules_.push_back(std::make_unique<Link>(
      name.c_str(), channel, circuits_.stages().link(from.switch_number, from.port)));
}

CircuitModules::CircuitModules(CircuitNetwork& circuits)
    : network_(circuits, {}), controller_("controller", circuits) {
  for (std::uint32_t node = 0; node < circuits.layout().nodes(); ++node) {
    const std::string name = "terminal_" + std::to_string(node);
    terminals_.push_back(std::make_unique<CircuitTerminal>(name.c_str(), NodeId{node}, circuits));
  }
}

CircuitModules::~CircuitModules() {
  while (!terminals_.empty()) terminals_.pop_back();
}

}  // namespace flitcast
