// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "network/circuit/circuit_network.h"
#include "network/fabric/views.h"

namespace flitcast {

/// A crossbar of the network. Like all views, it has a name in the module hierarchy and reads the
/// network's state; it has no process and costs nothing per cycle.
class CrossbarSwitch : public sc_core::sc_module {
 public:
  CrossbarSwitch(const sc_core::sc_module_name& name, const CrossbarStages& stages,
                 std::uint32_t number)
      : sc_module(name), stages_(stages), number_(number) {}

  /// The number of the crossbar's router in the topology.
  std::uint32_t number() const { return number_; }
  std::uint32_t inputs() const { return core().inputs(); }
  std::uint32_t outputs() const { return core().outputs(); }
  /// The input that drives an output; absent if the output is idle.
  std::optional<std::uint32_t> driver(std::uint32_t output) const {
    const std::uint32_t input = core().driver(output);
    return input == CrossbarCore::kNone ? std::nullopt : std::optional<std::uint32_t>(input);
  }

 private:
  const CrossbarCore& core() const { return stages_.crossbar(number_); }

  const CrossbarStages& stages_;
  const std::uint32_t number_;
};

/// The central controller.
class CircuitController : public sc_core::sc_module {
 public:
  CircuitController(const sc_core::sc_module_name& name, const CircuitNetwork& network)
      : sc_module(name), network_(network) {}

  bool busy() const { return network_.controller_busy(); }
  /// The number of clocks in which the controller has worked.
  std::uint64_t busy_cycles() const {
    return network_.circuit_totals().grant_cycles + network_.circuit_totals().block_cycles;
  }

 private:
  const CircuitNetwork& network_;
};

/// The point where one node's packets enter and leave.
class CircuitTerminal : public sc_core::sc_module {
 public:
  CircuitTerminal(const sc_core::sc_module_name& name, NodeId node, CircuitNetwork& network)
      : sc_module(name), node_(node), network_(network) {}

  NodeId node() const { return node_; }
  TerminalState state() const { return network_.state(node_); }
  void send(const PacketRequest& request) { network_.send(node_, request); }
  std::uint64_t flits_sent() const { return network_.flits_injected(node_); }
  std::uint64_t flits_received() const { return network_.flits_ejected(node_); }

 private:
  const NodeId node_;
  CircuitNetwork& network_;
};

class MiddleNetwork;

/// The views of a three-stage network: links and switches, where a middle switch may be a network.
class NetworkModules {
 public:
  /// Must be called within the constructor of the parent module.
  NetworkModules(const CircuitNetwork& circuits, const Clos::Network& network);
  ~NetworkModules();

 private:
  void add_switch(const char* stage, std::size_t place, RouterId router);
  void add_links(const Clos::Network& network);
  void add_link(const std::string& name, Endpoint from, Endpoint to);

  const CircuitNetwork& circuits_;
  std::vector<std::unique_ptr<sc_core::sc_module>> modules_;
};

/// A middle switch that is itself a network.
class MiddleNetwork : public sc_core::sc_module {
 public:
  MiddleNetwork(const sc_core::sc_module_name& name, const CircuitNetwork& circuits,
                const Clos::Network& network)
      : sc_module(name), modules_(circuits, network) {}

 private:
  NetworkModules modules_;
};

/// All views of a circuit-switched network.
class CircuitModules {
 public:
  explicit CircuitModules(CircuitNetwork& circuits);
  ~CircuitModules();

  CircuitTerminal& terminal(NodeId node) { return *terminals_[index(node)]; }

 private:
  NetworkModules network_;
  std::vector<std::unique_ptr<CircuitTerminal>> terminals_;
  CircuitController controller_;
};

}  // namespace flitcast
