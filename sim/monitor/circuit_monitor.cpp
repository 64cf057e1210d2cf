// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "network/circuit/circuit_network.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

const char* name_of(TerminalState state) {
  constexpr std::array<const char*, 6> kNames{"idle",      "wait",     "setup",
                                              "connected", "teardown", "blocked"};
  static_assert(kNames.size() == static_cast<std::size_t>(TerminalState::kCount));
  return kNames[static_cast<std::size_t>(state)];
}

struct MonitoredTerminal {
  NodeId id{};
  TerminalState state = TerminalState::kIdle;
  std::optional<PacketId> sends{};
  std::optional<std::size_t> interval{};  ///< Index of the open interval.
};

class CircuitMonitor final : public FlitMonitor {
 public:
  CircuitMonitor(const MonitorPlan& plan, const CircuitNetwork& network)
      : FlitMonitor(plan, network.topology()), network_(network) {
    const bool all = plan.routers.empty() && plan.nodes.empty();
    if (all || !plan.routers.empty()) switches_ = monitored_routers(plan, network.topology());
    for (const NodeId node : plan.nodes) terminals_.push_back({node});
    if (all) {
      for (const NodeId node : network.topology().nodes()) terminals_.push_back({node});
    }
    for (const RouterId crossbar : switches_) add_switch(crossbar);
    for (MonitoredTerminal& terminal : terminals_) add_terminal(terminal);
  }

 private:
  static constexpr unsigned kNumberBits = 32;
  static constexpr unsigned kStateBits = 3;

  // A flit that has crossed a switch stays in the registers after it for the cycles of a stage.
  void observe(Cycle last) override {
    const std::uint32_t stage = network_.params().stage_cycles;
    for (const RouterId crossbar : switches_) {
      for (std::uint32_t due = first() ? 1 : stage; due <= stage; ++due) {
        see_flits(crossbar, last + due);
      }
    }
    for (MonitoredTerminal& terminal : terminals_) see_terminal(terminal, last);
  }

  void add_switch(RouterId crossbar) {
    const CrossbarCore& core = network_.stages().crossbar(index(crossbar));
    for (std::uint32_t output = 0; output < core.outputs(); ++output) {
      add_signal({index(crossbar), SignalPlace::Side::kOutput, to_id<PortId>(output)}, "input",
                 kNumberBits, [&core, output]() -> MonitoredSignal::Value {
                   const std::uint32_t input = core.driver(output);
                   if (input == CrossbarCore::kNone) return std::nullopt;
                   return input;
                 });
    }
  }

  void add_terminal(MonitoredTerminal& terminal) {
    const SignalPlace place{index(terminal.id), SignalPlace::Side::kNode};
    add_signal(place, "state", kStateBits,
               [&terminal] { return static_cast<std::uint64_t>(terminal.state); });
    add_signal(place, "packet", kNumberBits, [&terminal]() -> MonitoredSignal::Value {
      if (!terminal.sends) return std::nullopt;
      return index(*terminal.sends) & 0xffffffff;
    });
  }

  // All copies of a flit leave the switch in the same cycle.
  void see_flits(RouterId crossbar, Cycle due) {
    const CrossbarStages& stages = network_.stages();
    const CrossbarCore& core = stages.crossbar(index(crossbar));
    sent_.assign(core.inputs(), nullptr);
    for (std::uint32_t o = 0; o < core.outputs(); ++o) {
      const Endpoint output{crossbar, to_id<PortId>(o)};
      if (stages.expected(output, due)) sent_[core.driver(o)] = &stages.flit_due(output, due);
    }
    for (unsigned input = 0; input < core.inputs(); ++input) {
      if (sent_[input] != nullptr) list(crossbar, input, *sent_[input], due);
    }
  }

  void list(RouterId crossbar, unsigned input, const Flit& flit, Cycle due) {
    const Packet& packet = network_.packet(flit.packet);
    FlitResidency residency =
        residency_of(packet, packet.length - 1 - flit.remaining, crossbar, input, 0);
    if (!first()) residency.arrived = Cycle{index(due) - network_.params().stage_cycles};
    residency.left = due;
    seen_.residencies.push_back(residency);
  }

  // During tear-down the packet has arrived and its record no longer exists, so the last number is
  // kept.
  void see_terminal(MonitoredTerminal& terminal, Cycle last) {
    const TerminalState state = network_.state(terminal.id);
    std::optional<PacketId> sends;
    if (const Packet* const packet = network_.sending(terminal.id)) sends = packet->id;
    if (state == TerminalState::kTeardown) sends = terminal.sends;
    if (state == terminal.state && sends == terminal.sends) return;
    terminal.sends = sends;
    change_state(terminal, state, last);
  }

  void change_state(MonitoredTerminal& terminal, TerminalState state, Cycle last) {
    if (terminal.interval) seen_.terminals[*terminal.interval].end = last;
    terminal.interval.reset();
    terminal.state = state;
    if (state == TerminalState::kIdle) return;
    terminal.interval = seen_.terminals.size();
    seen_.terminals.push_back(
        {terminal.id, name_of(state), terminal.sends, std::max(last, seen_.plan.from)});
  }

  // Departures are recorded in advance; those after the end of the window have not taken place.
  void finish() override {
    for (FlitResidency& residency : seen_.residencies) {
      if (residency.left >= seen_.end) residency.left = kNever;
    }
  }

  const CircuitNetwork& network_;
  std::vector<RouterId> switches_;
  std::vector<MonitoredTerminal> terminals_;
  std::vector<const Flit*> sent_;  // By input of a switch.
};

}  // namespace

std::unique_ptr<FlitMonitor> monitor_circuits(const MonitorPlan& plan,
                                              const CircuitNetwork& network) {
  return std::make_unique<CircuitMonitor>(plan, network);
}

}  // namespace flitcast
