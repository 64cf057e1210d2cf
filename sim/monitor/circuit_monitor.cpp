// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "network/circuit/circuit_network.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

const char* name_of(TerminalState state) {
  switch (state) {
    case TerminalState::kIdle:
      return "idle";
    case TerminalState::kWait:
      return "wait";
    case TerminalState::kSetup:
      return "setup";
    case TerminalState::kConnected:
      return "connected";
    case TerminalState::kTeardown:
      return "teardown";
    case TerminalState::kBlocked:
      break;
  }
  return "blocked";
}

struct MonitoredSwitch {
  RouterId id{};
  std::size_t inputs = 0;  ///< The index of the signal of output 0; the other outputs follow.
};

struct MonitoredTerminal {
  NodeId id{};
  std::size_t state = 0;   ///< Index of the signal.
  std::size_t packet = 0;  ///< Index of the signal.
  TerminalState before = TerminalState::kIdle;
  std::optional<PacketId> sends{};
  std::optional<std::size_t> interval{};  ///< Index of the open interval.
};

class CircuitMonitor final : public FlitMonitor {
 public:
  CircuitMonitor(const MonitorPlan& plan, const CircuitNetwork& network);

 private:
  void observe(Cycle last) override;
  void see_switch(const MonitoredSwitch& crossbar, Cycle last);
  void see_flits(const MonitoredSwitch& crossbar, Cycle due);
  void list(const MonitoredSwitch& crossbar, unsigned input, const Flit& flit, Cycle due);
  void see_terminal(MonitoredTerminal& terminal, Cycle last);
  void change_state(MonitoredTerminal& terminal, TerminalState state, Cycle last);
  void finish() override;

  const CircuitNetwork& network_;
  std::vector<MonitoredSwitch> switches_;
  std::vector<MonitoredTerminal> terminals_;
  std::vector<const Flit*> sent_;  // By input of a switch.
};

CircuitMonitor::CircuitMonitor(const MonitorPlan& plan, const CircuitNetwork& network)
    : FlitMonitor(plan, network.topology()), network_(network) {
  constexpr unsigned kNumber = 32;
  constexpr unsigned kState = 3;
  using Side = SignalPlace::Side;
  const bool all = plan.routers.empty() && plan.nodes.empty();
  if (all || !plan.routers.empty()) {
    for (const RouterId router : monitored_routers(plan, network.topology())) {
      switches_.push_back({router, seen_.signals.size()});
      for (std::uint32_t o = 0; o < network.stages().crossbar(index(router)).outputs(); ++o) {
        const PortId port{static_cast<std::uint16_t>(o)};
        add_signal({index(router), Side::kOutput, port, std::nullopt}, "input", kNumber);
      }
    }
  }
  const auto add_node = [this](NodeId node) {
    const SignalPlace place{index(node), Side::kNode, {}, {}};
    MonitoredTerminal terminal{node};
    terminal.state = add_signal(place, "state", kState);
    terminal.packet = add_signal(place, "packet", kNumber);
    terminals_.push_back(terminal);
  };
  for (const NodeId node : plan.nodes) add_node(node);
  if (!all) return;
  for (std::uint32_t n = 0; n < network.topology().node_count(); ++n) add_node(NodeId{n});
}

void CircuitMonitor::observe(Cycle last) {
  for (const MonitoredSwitch& crossbar : switches_) see_switch(crossbar, last);
  for (MonitoredTerminal& terminal : terminals_) see_terminal(terminal, last);
}

// A flit that has crossed a switch stays in the registers after it for the cycles of a stage.
void CircuitMonitor::see_switch(const MonitoredSwitch& crossbar, Cycle last) {
  const CrossbarCore& core = network_.stages().crossbar(index(crossbar.id));
  for (std::uint32_t output = 0; output < core.outputs(); ++output) {
    const std::uint32_t input = core.driver(output);
    record(crossbar.inputs + output,
           input == CrossbarCore::kNone ? std::nullopt : std::optional<std::uint64_t>(input), last);
  }
  const std::uint32_t stage = network_.params().stage_cycles;
  for (std::uint32_t due = first() ? 1 : stage; due <= stage; ++due) {
    see_flits(crossbar, last + due);
  }
}

// All copies of a flit leave the switch in the same cycle.
void CircuitMonitor::see_flits(const MonitoredSwitch& crossbar, Cycle due) {
  const CrossbarStages& stages = network_.stages();
  const CrossbarCore& core = stages.crossbar(index(crossbar.id));
  sent_.assign(core.inputs(), nullptr);
  for (std::uint32_t o = 0; o < core.outputs(); ++o) {
    const Endpoint output{crossbar.id, PortId{static_cast<std::uint16_t>(o)}};
    if (stages.expected(output, due)) sent_[core.driver(o)] = &stages.flit_due(output, due);
  }
  for (unsigned input = 0; input < core.inputs(); ++input) {
    if (sent_[input] != nullptr) list(crossbar, input, *sent_[input], due);
  }
}

void CircuitMonitor::list(const MonitoredSwitch& crossbar, unsigned input, const Flit& flit,
                          Cycle due) {
  const Packet& packet = network_.packet(flit.packet);
  FlitResidency residency{packet.id,          packet.length - 1 - flit.remaining,
                          packet.length,      packet.source,
                          packet.destination, crossbar.id};
  residency.port = PortId{static_cast<std::uint16_t>(input)};
  if (!first()) residency.arrived = Cycle{index(due) - network_.params().stage_cycles};
  residency.left = due;
  seen_.residencies.push_back(residency);
}

// During tear-down the packet has arrived and its record no longer exists, so the last number is
// kept.
void CircuitMonitor::see_terminal(MonitoredTerminal& terminal, Cycle last) {
  const TerminalState state = network_.state(terminal.id);
  std::optional<PacketId> sends;
  if (const Packet* const packet = network_.sending(terminal.id)) sends = packet->id;
  if (state == TerminalState::kTeardown) sends = terminal.sends;
  if (state != terminal.before || sends != terminal.sends) {
    terminal.sends = sends;
    change_state(terminal, state, last);
  }
  record(terminal.state, static_cast<std::uint64_t>(state), last);
  record(terminal.packet,
         sends ? std::optional<std::uint64_t>(index(*sends) & 0xffffffff) : std::nullopt, last);
}

void CircuitMonitor::change_state(MonitoredTerminal& terminal, TerminalState state, Cycle last) {
  if (terminal.interval) seen_.terminals[*terminal.interval].end = last;
  terminal.interval.reset();
  terminal.before = state;
  if (state == TerminalState::kIdle) return;
  terminal.interval = seen_.terminals.size();
  seen_.terminals.push_back(
      {terminal.id, name_of(state), terminal.sends, std::max(last, seen_.plan.from)});
}

// Departures are recorded in advance; those after the end of the window have not taken place.
void CircuitMonitor::finish() {
  for (FlitResidency& residency : seen_.residencies) {
    if (residency.left >= seen_.end) residency.left = kNever;
  }
}

}  // namespace

std::unique_ptr<FlitMonitor> monitor_circuits(const MonitorPlan& plan,
                                              const CircuitNetwork& network) {
  return std::make_unique<CircuitMonitor>(plan, network);
}

}  // namespace flitcast
