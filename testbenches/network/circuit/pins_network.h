// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/circuit/circuit_layout.h"
#include "network/pins/multicast_crossbar.h"

namespace flitcast {

/// A flit on the wire from or to a node.
struct NodeFlit {
  std::uint32_t node = 0;
  Flit flit{};
};

/// A write of an output's driver; CrossbarCore::kNone makes it idle.
struct DriverWrite {
  std::uint32_t switch_number = 0;
  std::uint32_t output = 0;
  std::uint32_t driver = 0;
};

/// The crossbars of a layout as modules with pins, wired up with signals; no controller.
class PinsNetwork {
 public:
  PinsNetwork(const CircuitLayout& layout, std::uint32_t stage_cycles)
      : layout_(layout),
        from_nodes_("from_node", layout.nodes()),
        to_nodes_("to_node", layout.nodes()) {
    rst_n_ = true;
    for (const CircuitLayout::Switch& shape : layout.switches()) {
      const std::string number = std::to_string(switches_.size());
      switches_.push_back(std::make_unique<Switch>(number, shape, stage_cycles));
    }
    for (std::uint32_t number = 0; number < switches_.size(); ++number) wire_outputs(number);
    for (std::uint32_t node = 0; node < layout.nodes(); ++node) {
      wire_input(layout.entry({}, node), from_nodes_, node);
    }
  }

  /// Runs a cycle with these flits on the wires from nodes and with these writes, which hold for
  /// the next cycle. Returns the flits that have reached nodes in this one.
  std::vector<NodeFlit> cycle(const std::vector<NodeFlit>& flits,
                              const std::vector<DriverWrite>& writes) {
    half(false);
    for (auto& valid : from_nodes_.valid) valid = false;
    for (const NodeFlit& sent : flits) {
      from_nodes_.valid[sent.node] = true;
      from_nodes_.flit[sent.node] = sent.flit;
    }
    for (const auto& crossbar : switches_) {
      for (auto& valid : crossbar->config_valid) valid = false;
    }
    for (const DriverWrite& write : writes) {
      Switch& to = *switches_[write.switch_number];
      to.config_valid[write.output] = true;
      to.config_driver[write.output] = write.driver == CrossbarCore::kNone ? to.idle : write.driver;
    }
    std::vector<NodeFlit> arrived = at_nodes();
    half(true);
    return arrived;
  }

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;
  struct Wires {
    Wires(const std::string& name, std::size_t count)
        : valid((name + "_valid").c_str(), count), flit((name + "_flit").c_str(), count) {}
    Signals<bool> valid;
    Signals<Flit> flit;
  };
  struct Switch {
    Switch(const std::string& number, const CircuitLayout::Switch& shape,
           std::uint32_t stage_cycles)
        : idle(shape.inputs),
          inputs("in_" + number, shape.inputs),
          config_valid(("config_valid_" + number).c_str(), shape.outputs),
          config_driver(("config_driver_" + number).c_str(), shape.outputs),
          crossbar(("crossbar_" + number).c_str(), shape.inputs, shape.outputs, stage_cycles) {}
    const unsigned idle;  ///< What config_driver_i calls no driver.
    Wires inputs;
    Signals<bool> config_valid;
    Signals<unsigned> config_driver;
    pins::MulticastCrossbar crossbar;
  };

  void wire_input(const CircuitLayout::Port& to, Wires& wires, std::uint32_t wire) {
    pins::MulticastCrossbar& crossbar = switches_[to.switch_number]->crossbar;
    crossbar.in_valid_i[to.port](wires.valid[wire]);
    crossbar.in_flit_i[to.port](wires.flit[wire]);
  }
  void wire_outputs(std::uint32_t number) {
    Switch& from = *switches_[number];
    from.crossbar.clk_i(clk_);
    from.crossbar.rst_ni(rst_n_);
    from.crossbar.config_valid_i(from.config_valid);
    from.crossbar.config_driver_i(from.config_driver);
    for (std::uint32_t output = 0; output < layout_.switches()[number].outputs; ++output) {
      const CircuitLayout::Port to = layout_.target(number, output);
      const bool to_node = to.switch_number == CircuitLayout::kNode;
      Wires& wires = to_node ? to_nodes_ : switches_[to.switch_number]->inputs;
      from.crossbar.out_valid_o[output](wires.valid[to.port]);
      from.crossbar.out_flit_o[output](wires.flit[to.port]);
      if (!to_node) wire_input(to, wires, to.port);
    }
  }
  std::vector<NodeFlit> at_nodes() const {
    std::vector<NodeFlit> result;
    for (std::uint32_t node = 0; node < layout_.nodes(); ++node) {
      if (to_nodes_.valid[node].read()) result.push_back({node, to_nodes_.flit[node].read()});
    }
    return result;
  }
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  const CircuitLayout& layout_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Wires from_nodes_;
  Wires to_nodes_;
  std::vector<std::unique_ptr<Switch>> switches_;
};

}  // namespace flitcast
