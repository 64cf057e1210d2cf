// SPDX-License-Identifier: Apache-2.0
// The steps of a request: from the terminal to the controller, to a connection, to idle links.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "network/circuit/circuit_network.h"
#include "router/invariant.h"

namespace flitcast {

// A phase of 0 cycles ends immediately.
void CircuitNetwork::after(std::uint32_t node, Phase phase, std::uint64_t cycles) {
  sources_[node].phase = phase;
  if (cycles == 0) {
    advance(node);
  } else {
    timers_.schedule(node, now_ + cycles);
  }
}

void CircuitNetwork::advance(std::uint32_t node) {
  switch (sources_[node].phase) {
    case Phase::kRequest:
      return reach_controller(node);
    case Phase::kSetup:
      return begin_stream(node);
    case Phase::kBlock:
      return end_block(node);
    case Phase::kTeardown:
      return release(node);
    case Phase::kIdle:
    case Phase::kWaiting:
    case Phase::kConnected:
      broken_at_node("a terminal's timer ends without a phase to end", node);
  }
}

void CircuitNetwork::request_next(std::uint32_t node) {
  CircuitSource& source = sources_[node];
  source.phase = Phase::kIdle;
  if (source.queue_front == PacketStore::kNone) return;
  const Packet& packet = packets_.packet(source.queue_front);
  const std::vector<NodeId>& members = groups_.members(packet.destination);
  if (members.size() != packet.receivers) {
    throw InvariantError("a group has changed while a packet to it waited");
  }
  std::vector<clos::OutputId>& outputs = waiting_.outputs(clos::InputId{node});
  outputs.clear();
  for (const NodeId member : members) outputs.push_back(clos::OutputId{index(member)});
  circuit_totals_.source_wait += now_ - packet.created;
  after(node, Phase::kRequest, params_.request_cycles);
}

void CircuitNetwork::reach_controller(std::uint32_t node) {
  sources_[node].phase = Phase::kWaiting;
  ++circuit_totals_.requests;
  waiting_.arrive(clos::InputId{node}, now_);
}

void CircuitNetwork::serve() {
  if (controller_busy()) return;
  const std::optional<clos::InputId> input = waiting_.start_next(now_);
  if (!input) return;
  const TimedVerdict verdict = control_.connect(*input, waiting_.outputs(*input));
  controller_free_ = now_ + verdict.clocks;
  if (!verdict.blocked) {
    ++circuit_totals_.granted;
    circuit_totals_.grant_cycles += verdict.clocks;
    waiting_.granted(*input, now_);
    after(index(*input), Phase::kSetup, verdict.clocks + params_.configuration_cycles);
    return;
  }
  ++circuit_totals_.blocked;
  circuit_totals_.block_cycles += verdict.clocks;
  if (params_.when_blocked == WhenBlocked::kRetry) {
    waiting_.blocked(*input, now_);
  } else {
    waiting_.dropped(*input, verdict.clocks);
  }
  after(index(*input), Phase::kBlock, verdict.clocks);
}

// Ends the service of a blocked request, whose verdict is known. A request that is kept may be
// ready again already, because of a release meanwhile.
void CircuitNetwork::end_block(std::uint32_t node) {
  if (params_.when_blocked == WhenBlocked::kRetry) {
    sources_[node].phase = Phase::kWaiting;
    return;
  }
  ++circuit_totals_.dropped;
  if (!std::exchange(sources_[node].held, false)) drop_packet(node);
  request_next(node);
}

void CircuitNetwork::drop_packet(std::uint32_t node) {
  CircuitSource& source = sources_[node];
  const PacketSlot slot = source.queue_front;
  const Packet packet = packets_.packet(slot);
  source.queue_front = packets_.next(slot);
  source.flits_dropped += packet.length;
  circuit_totals_.flits_dropped += packet.length;
  totals_.receivers_dropped += packet.receivers;
  for (std::uint32_t r = 0; r < packet.receivers; ++r) packets_.arrived(slot);
  if (probe_ != nullptr) probe_->dropped(packet);
  deliveries_.report_dropped(packet, now_, now_ + 1);
}

void CircuitNetwork::begin_stream(std::uint32_t node) {
  CircuitSource& source = sources_[node];
  source.phase = Phase::kConnected;
  configure(node);
  if (source.held) return;
  Packet& packet = packets_.packet(source.queue_front);
  source.due = packet.receivers;
  source.next = head_flit(packet, source.queue_front, now_);
  streaming_.set(node);
}

void CircuitNetwork::configure(std::uint32_t node) {
  for (const clos::SwitchSetting& setting : control_.nested().path(clos::InputId{node})) {
    const RouterId router = setting.router(topology_);
    const auto stage =
        static_cast<std::uint32_t>(setting.whole_stage(topology_.structure().levels.size()));
    for (const std::uint32_t output : setting.outputs) {
      stages_.crossbar(index(router)).connect(setting.input, output);
      const PortId port{static_cast<std::uint16_t>(output)};
      paths_[node].push_back({{router, port}, setting.input, stage});
    }
  }
}

// Releases the outputs in reverse order, because a crossbar releases the most recent connections
// fastest.
void CircuitNetwork::release(std::uint32_t node) {
  std::vector<CircuitSetting>& path = paths_[node];
  for (; !path.empty(); path.pop_back()) {
    const Endpoint output = path.back().output;
    stages_.crossbar(index(output.router)).release(index(output.port));
  }
  const clos::InputId input{node};
  control_.disconnect(input);
  waiting_.released(input, now_);
  sources_[node].held = false;
  request_next(node);
}

void CircuitNetwork::send(NodeId node, const PacketRequest& request) {
  if (index(node) >= topology_.node_count()) {
    throw std::invalid_argument(fmt::format("node {} is outside the network of {} nodes",
                                            index(node), topology_.node_count()));
  }
  if (const char* problem = problem_of(request)) throw std::invalid_argument(problem);
  enqueue(index(node), request);
}

void CircuitNetwork::open(NodeId node, const std::vector<NodeId>& outputs) {
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(fmt::format("open from node {}: {}", index(node), why));
  };
  if (index(node) >= topology_.node_count()) refuse("there is no such node");
  if (sources_[index(node)].phase != Phase::kIdle) refuse("it is not idle; wait, or close first");
  std::vector<NodeId> sorted = outputs;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) refuse("to no output; name one at least");
  if (index(sorted.back()) >= topology_.node_count()) refuse("to an output that is not there");
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    refuse("to an output twice; name each once");
  }
  std::vector<clos::OutputId>& wanted = waiting_.outputs(clos::InputId{index(node)});
  wanted.clear();
  for (const NodeId output : outputs) wanted.push_back(clos::OutputId{index(output)});
  sources_[index(node)].held = true;
  after(index(node), Phase::kRequest, params_.request_cycles);
}

void CircuitNetwork::close(NodeId node) {
  const bool open = index(node) < topology_.node_count() && sources_[index(node)].held &&
                    sources_[index(node)].phase == Phase::kConnected;
  if (!open) {
    throw std::invalid_argument(
        fmt::format("close from node {}: it has no held connection", index(node)));
  }
  after(index(node), Phase::kTeardown, params_.teardown_cycles);
}

TerminalState CircuitNetwork::state(NodeId node) const {
  using State = TerminalState;
  // The state in each phase, if the request is not blocked.
  static constexpr State kStates[] = {State::kIdle,    State::kWait,  State::kWait,
                                      State::kSetup,   State::kSetup, State::kConnected,
                                      State::kTeardown};
  static_assert(std::size(kStates) == static_cast<std::size_t>(Phase::kTeardown) + 1);
  const Phase phase = sources_[index(node)].phase;
  const bool blocked = phase == Phase::kWaiting && waiting_.is_blocked(clos::InputId{index(node)});
  return blocked ? State::kBlocked : kStates[static_cast<std::size_t>(phase)];
}

const Packet* CircuitNetwork::sending(NodeId node) const {
  const CircuitSource& source = sources_[index(node)];
  const bool none = source.phase == Phase::kIdle || source.phase == Phase::kTeardown;
  if (none || source.held) return nullptr;
  return &packet(source.phase == Phase::kConnected ? source.next.packet : source.queue_front);
}

}  // namespace flitcast
