// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace flitcast {
namespace {

void require_ports(const clos::Structure& shape) {
  for (const std::uint32_t ports : {shape.n1, shape.r1, shape.m, shape.n2, shape.r2}) {
    if (ports > CircuitLayout::kMostSwitchPorts) {
      throw std::invalid_argument(
          fmt::format("{} has a switch with {} ports a side; take at most {}", to_text(shape),
                      ports, CircuitLayout::kMostSwitchPorts));
    }
  }
}

void require_nodes(const clos::Structure& whole) {
  if (whole.inputs() != whole.outputs()) {
    throw std::invalid_argument(
        fmt::format("{} has {} inputs and {} outputs; a network of nodes needs as many of both",
                    to_text(whole), whole.inputs(), whole.outputs()));
  }
  if (whole.inputs() > CircuitLayout::kMostNodes) {
    throw std::invalid_argument(fmt::format("{} nodes; a circuit-switched network takes at most {}",
                                            whole.inputs(), CircuitLayout::kMostNodes));
  }
}

void require_at_most(std::uint64_t most, std::uint64_t count, const char* what) {
  if (count <= most) return;
  throw std::invalid_argument(fmt::format("{} {}; take at most {}", count, what, most));
}

// Switches in a network of every level. As many inputs as outputs have a switch: each is wired to
// one of the other side or to a node, of which both sides have as many.
std::vector<std::uint32_t> network_sizes(const std::vector<clos::Structure>& levels) {
  std::vector<std::uint32_t> sizes(levels.size());
  std::uint64_t switches = 1;
  std::uint64_t outputs = levels.back().r2;
  for (std::size_t level = levels.size(); level-- > 0;) {
    const clos::Structure& shape = levels[level];
    switches = shape.r1 + shape.m * switches + shape.r2;
    outputs = shape.m * (shape.r1 + outputs) + std::uint64_t{shape.r2} * shape.n2;
    require_at_most(CircuitLayout::kMostSwitches, switches, "switches");
    require_at_most(CircuitLayout::kMostOutputs, outputs, "outputs of switches");
    sizes[level] = static_cast<std::uint32_t>(switches);
  }
  return sizes;
}

}  // namespace

void CircuitLayout::require_within_limits(const clos::MultistageStructure& structure) {
  require_buildable(structure);
  for (const clos::Structure& shape : structure.levels) require_ports(shape);
  require_nodes(structure.levels.front());
  network_sizes(structure.levels);
}

CircuitLayout::CircuitLayout(clos::MultistageStructure structure)
    : structure_((require_within_limits(structure), std::move(structure))),
      sizes_(network_sizes(structure_.levels)) {
  const Network whole;
  switches_.reserve(sizes_.front());
  add_switches(whole);
  wire(whole);
  for (std::uint32_t node = 0; node < nodes(); ++node) wire(exit(whole, node), {kNode, node});
}

void CircuitLayout::add_switches(const Network& network) {
  const clos::Structure& s = shape(network);
  for (std::uint32_t i = 0; i < s.r1; ++i) add_switch(s.n1, s.m, network.level);
  for (std::uint32_t j = 0; j < s.m; ++j) {
    if (nested(network)) {
      add_switches(middle_network(network, j));
    } else {
      add_switch(s.r1, s.r2, network.level + 1);
    }
  }
  const std::size_t last_stage = structure_.stages() - 1 - network.level;
  for (std::uint32_t k = 0; k < s.r2; ++k) add_switch(s.m, s.n2, last_stage);
}

void CircuitLayout::add_switch(std::uint32_t inputs, std::uint32_t outputs, std::size_t stage) {
  switches_.push_back({inputs, outputs, static_cast<std::uint32_t>(stage), this->outputs()});
  inputs_ += inputs;
  targets_.resize(targets_.size() + outputs);
}

void CircuitLayout::wire(const Network& network) {
  const clos::Structure& s = shape(network);
  for (std::uint32_t j = 0; j < s.m; ++j) {
    if (nested(network)) wire(middle_network(network, j));
    for (std::uint32_t i = 0; i < s.r1; ++i) {
      wire({input_switch(network, i), j}, middle_input(network, j, i));
    }
    for (std::uint32_t k = 0; k < s.r2; ++k) {
      wire(middle_output(network, j, k), {output_switch(network, k), j});
    }
  }
}

void CircuitLayout::wire(const Port& from, const Port& to) {
  targets_[switches_[from.switch_number].first_output + from.port] = to;
}

CircuitLayout::Network CircuitLayout::middle_network(const Network& network,
                                                     std::uint32_t j) const {
  const std::size_t level = network.level + 1;
  return {level, network.first_switch + shape(network).r1 + j * sizes_[level]};
}

std::uint32_t CircuitLayout::output_switch(const Network& network, std::uint32_t k) const {
  return network.first_switch + sizes_[network.level] - shape(network).r2 + k;
}

CircuitLayout::Port CircuitLayout::entry(const Network& network, std::uint32_t input) const {
  const std::uint32_t n = shape(network).n1;
  return {input_switch(network, input / n), input % n};
}

CircuitLayout::Port CircuitLayout::exit(const Network& network, std::uint32_t output) const {
  const std::uint32_t n = shape(network).n2;
  return {output_switch(network, output / n), output % n};
}

CircuitLayout::Port CircuitLayout::middle_input(const Network& network, std::uint32_t j,
                                                std::uint32_t i) const {
  if (nested(network)) return entry(middle_network(network, j), i);
  return {middle_switch(network, j), i};
}

CircuitLayout::Port CircuitLayout::middle_output(const Network& network, std::uint32_t j,
                                                 std::uint32_t k) const {
  if (nested(network)) return exit(middle_network(network, j), k);
  return {middle_switch(network, j), k};
}

std::uint32_t CircuitLayout::switch_of(const clos::SwitchSetting& setting) const {
  Network network;
  for (const clos::MiddleId middle : setting.inside) {
    network = middle_network(network, index(middle));
  }
  switch (setting.stage) {
    case clos::SwitchSetting::Stage::kInput:
      return input_switch(network, setting.number);
    case clos::SwitchSetting::Stage::kMiddle:
      return middle_switch(network, setting.number);
    case clos::SwitchSetting::Stage::kOutput:
      break;
  }
  return output_switch(network, setting.number);
}

}  // namespace flitcast
