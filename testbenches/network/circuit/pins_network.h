// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/pins/crossbars.h"

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

/// The crossbars of a topology as modules with pins, connected by signals, without a controller.
class PinsNetwork {
 public:
  PinsNetwork(const Topology& topology, std::uint32_t stage_cycles)
      : from_nodes_("from_node", topology.node_count()),
        to_nodes_("to_node", topology.node_count()) {
    rst_n_ = true;
    for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
      switches_.push_back(
          std::make_unique<Switch>(std::to_string(router), topology.input_count(RouterId{router}),
                                   topology.output_count(RouterId{router}), stage_cycles));
      bind(*switches_.back());
    }
    for (const Channel& channel : topology.channels()) {
      Wires& wires = switches_[index(channel.to.router)]->inputs;
      wire_output(channel.from, wires, index(channel.to.port));
      wire_input(channel.to, wires, index(channel.to.port));
    }
    for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
      wire_input(topology.attachment(NodeId{node}).injection, from_nodes_, node);
      wire_output(topology.attachment(NodeId{node}).ejection, to_nodes_, node);
    }
  }

  /// Runs a cycle with these flits on the wires from nodes and with these writes, which take effect
  /// in the next cycle. Returns the flits that reach nodes in this cycle.
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
    Switch(const std::string& number, std::size_t input_count, std::size_t output_count,
           std::uint32_t stage_cycles)
        : idle(static_cast<unsigned>(input_count)),
          inputs("in_" + number, input_count),
          config_valid(("config_valid_" + number).c_str(), output_count),
          config_driver(("config_driver_" + number).c_str(), output_count),
          crossbar(("crossbar_" + number).c_str(), idle, static_cast<std::uint32_t>(output_count),
                   stage_cycles) {}
    const unsigned idle;  ///< Value of config_driver_i for no driver.
    Wires inputs;
    Signals<bool> config_valid;
    Signals<unsigned> config_driver;
    pins::MulticastCrossbar crossbar;
  };

  void bind(Switch& to) {
    to.crossbar.clk_i(clk_);
    to.crossbar.rst_ni(rst_n_);
    to.crossbar.config_valid_i(to.config_valid);
    to.crossbar.config_driver_i(to.config_driver);
  }
  void wire_input(Endpoint to, Wires& wires, std::size_t wire) {
    pins::MulticastCrossbar& crossbar = switches_[index(to.router)]->crossbar;
    crossbar.in_valid_i[index(to.port)](wires.valid[wire]);
    crossbar.in_flit_i[index(to.port)](wires.flit[wire]);
  }
  void wire_output(Endpoint from, Wires& wires, std::size_t wire) {
    pins::MulticastCrossbar& crossbar = switches_[index(from.router)]->crossbar;
    crossbar.out_valid_o[index(from.port)](wires.valid[wire]);
    crossbar.out_flit_o[index(from.port)](wires.flit[wire]);
  }
  std::vector<NodeFlit> at_nodes() const {
    std::vector<NodeFlit> result;
    for (std::uint32_t node = 0; node < to_nodes_.valid.size(); ++node) {
      if (to_nodes_.valid[node].read()) result.push_back({node, to_nodes_.flit[node].read()});
    }
    return result;
  }
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Wires from_nodes_;
  Wires to_nodes_;
  std::vector<std::unique_ptr<Switch>> switches_;
};

}  // namespace flitcast
