// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_network.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "network/check/inspection.h"
#include "network/circuit/circuit_modules.h"
#include "network/fabric/packet_maker.h"
#include "router/invariant.h"

namespace flitcast {
namespace {

std::uint32_t checked_stage(std::uint32_t cycles) {
  if (cycles >= 1 && cycles <= CircuitNetwork::kMostStageCycles) return cycles;
  throw std::invalid_argument(
      fmt::format("a stage of {} cycles; take 1 to {}", cycles, CircuitNetwork::kMostStageCycles));
}

const Clos& checked_size(const Clos& topology) {
  const std::string reason = CircuitNetwork::reason_too_large(topology);
  if (reason.empty()) return topology;
  throw std::invalid_argument(reason);
}

}  // namespace

std::string CircuitNetwork::reason_too_large(const Topology& topology) {
  if (topology.node_count() <= kMostNodes) return "";
  return fmt::format("{} nodes; a circuit-switched network takes at most {}", topology.node_count(),
                     kMostNodes);
}

CircuitNetwork::CircuitNetwork(const sc_core::sc_module_name& name, const Clos& topology,
                               PacketSource& source, const DestinationGroups& groups,
                               const CircuitParams& params, Probe* probe)
    : sc_module(name),
      topology_(checked_size(topology)),
      params_(params),
      source_(source),
      groups_(groups),
      probe_(probe),
      control_(topology.structure(), params),
      stages_(topology, checked_stage(params.stage_cycles)),
      waiting_(control_.state()),
      crossing_(static_cast<std::uint32_t>(control_.structure().stages()) * params.stage_cycles),
      sources_(topology_.node_count()),
      sinks_(topology_.node_count()),
      paths_(topology_.node_count()),
      streaming_(topology_.node_count()),
      packets_(0),
      calendar_(topology_.node_count()),
      timers_(topology_.node_count()),
      driver_("driver", params.lockstep,
              [this](Cycle first, std::uint64_t cycles) {
                for (now_ = first; now_ < first + cycles; now_ = now_ + 1) tick();
              }),
      deliveries_(source, [this](NodeId node, Cycle cycle) { wake(node, cycle); }) {
  if (groups.nodes() != topology_.node_count()) {
    throw std::invalid_argument(
        fmt::format("groups of {} nodes in a network of {}; make them for it", groups.nodes(),
                    topology_.node_count()));
  }
  modules_ = std::make_unique<CircuitModules>(*this);
  for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
    calendar_.schedule(node, source.first(NodeId{node}));
  }
}

CircuitNetwork::~CircuitNetwork() = default;

CircuitTerminal& CircuitNetwork::terminal(NodeId node) { return modules_->terminal(node); }

void CircuitNetwork::tick() {
  stages_.take_arrivals(now_,
                        [this](std::uint32_t node, const Flit& flit) { receive(node, flit); });
  create_packets();
  timers_.take_due(now_, [this](std::uint32_t node) { advance(node); });
  serve();
  inject();
  totals_.router_ticks += stages_.tick(now_);
  deliveries_.report();
}

// The network is idle when no packet is in flight and no connection is being torn down.
std::uint64_t CircuitNetwork::idle_cycles() const {
  const bool empty = totals_.receivers == totals_.receivers_retired();
  if (!empty || params_.lockstep || controller_busy()) return 0;
  if (timers_.next_due(now_) != kNever) return 0;
  const Cycle next = calendar_.next_due(now_);
  return next == kNever ? kNoLimit : next - now_;
}

void CircuitNetwork::skip(std::uint64_t cycles) {
  driver_.skip(cycles);
  now_ = driver_.now();
}

void CircuitNetwork::create_packets() {
  calendar_.take_due(now_, [this](std::uint32_t node) {
    requests_.clear();
    const Cycle again = source_.create(NodeId{node}, now_, requests_);
    for (const PacketRequest& request : requests_) {
      if (const char* problem = problem_of(request)) throw InvariantError(problem);
      enqueue(node, request);
    }
    if (again <= now_) throw InvariantError("a source asked to be called again in the past");
    calendar_.schedule(node, again);
  });
}

const char* CircuitNetwork::problem_of(const PacketRequest& request) const {
  if (index(request.destination) >= groups_.end() || groups_.members(request.destination).empty()) {
    return "a packet to a group that is not known; add it before";
  }
  if (request.length == 0 || request.length > kMaxPacketLength) {
    return "a packet of no flits or of more than 65536";
  }
  if (request.port != PacketRequest::kAnyPort && request.port != 0) {
    return "a packet by a port that its node does not have; nodes have one";
  }
  if (request.message_class != 0) return "a packet of another message class; circuits have one";
  return nullptr;
}

void CircuitNetwork::enqueue(std::uint32_t node, const PacketRequest& request) {
  CircuitSource& source = sources_[node];
  Packet packet = requested_packet(NodeId{node}, source.serial++, request, now_);
  packet.receivers = static_cast<std::uint32_t>(groups_.members(request.destination).size());
  packets_.append(source.queue_front, source.queue_back, packets_.add(packet));
  source.flits_created += request.length;
  ++totals_.packets_created;
  totals_.receivers += packet.receivers;
  totals_.flits_created += request.length;
  if (source.phase == Phase::kIdle) request_next(node);
}

void CircuitNetwork::inject() {
  streaming_.for_each([this](std::size_t n) {
    const auto node = static_cast<std::uint32_t>(n);
    CircuitSource& source = sources_[node];
    stages_.inject(node, source.next, now_);
    ++source.flits_injected;
    ++totals_.flits_injected;
    if (source.next.tail()) {
      streaming_.reset(node);
      source.queue_front = packets_.next(source.queue_front);
    } else {
      step_behind(source.next);
    }
  });
}

void CircuitNetwork::receive(std::uint32_t node, const Flit& flit) {
  CircuitSink& sink = sinks_[node];
  if (flit.head) {
    const Packet& packet = packets_.packet(flit.packet);
    const clos::InputId input{index(packet.source)};
    if (sink.packet != PacketStore::kNone) broken_at_node("head inside a packet", node);
    if (control_.state().owner(clos::OutputId{node}) != input) {
      broken_at_node("packet at the wrong node", node);
    }
    sink.due = packet.injected + crossing_;
    sink.packet = flit.packet;
    sink.remaining = packet.length - 1;
  }
  if (flit.packet != sink.packet || flit.remaining != sink.remaining) {
    broken_at_node("flit out of order at a node", node);
  }
  if (now_ != sink.due) broken_at_node("flit at a node in the wrong cycle", node);
  sink.due = now_ + 1;
  --sink.remaining;
  ++sink.flits_ejected;
  ++totals_.flits_ejected;
  if (flit.tail()) complete(node, std::exchange(sink.packet, PacketStore::kNone));
}

void CircuitNetwork::complete(std::uint32_t node, PacketSlot slot) {
  const Packet& packet = packets_.packet(slot);
  const Delivery delivery{packet, NodeId{node}, 0, now_,
                          static_cast<std::uint32_t>(control_.structure().stages())};
  const std::uint32_t sender = index(packet.source);
  ++totals_.packets_delivered;
  if (probe_ != nullptr) probe_->delivered(delivery);
  deliveries_.add(delivery);
  packets_.arrived(slot);
  if (--sources_[sender].due == 0) after(sender, Phase::kTeardown, params_.teardown_cycles);
}

namespace {

template <class Read>
Figure<CircuitNetwork>::Value counted(Read read) {
  return [read](const CircuitNetwork& network) { return read(network.circuit_totals()); };
}

}  // namespace

const FigureTable<CircuitNetwork>& circuit_figures() {
  using Counted = CircuitTotals;
  static const FigureTable<CircuitNetwork> table{
      {"cost.crosspoints", "", "Crosspoints of the crossbars of all switches.",
       [](const CircuitNetwork& network) { return crosspoints(network.topology()); }},
      {"circuit.requests", "", "Requests that have reached the controller.",
       counted([](const Counted& totals) { return totals.requests; })},
      {"circuit.granted", "", "Services that found a path.",
       counted([](const Counted& totals) { return totals.granted; })},
      {"circuit.blocked", "", "Services that found none; a retried request counts each time.",
       counted([](const Counted& totals) { return totals.blocked; })},
      {"circuit.dropped", "", "Requests that were given up.",
       counted([](const Counted& totals) { return totals.dropped; })},
      {"circuit.controller_cycles", "cycles", "Clocks that the controller has worked.",
       counted([](const Counted& totals) { return totals.grant_cycles + totals.block_cycles; })},
      {"circuit.wait_cycles.source", "cycles",
       "Waits of packets for their terminal, behind others or a held connection, summed.",
       counted([](const Counted& totals) { return totals.source_wait; })},
      {"circuit.wait_cycles.outputs", "cycles",
       "Waits of requests at the controller for outputs that others had, summed.",
       counted([](const Counted& totals) { return totals.waits.outputs; })},
      {"circuit.wait_cycles.controller", "cycles",
       "Waits of requests that could be served, while others were, summed.",
       counted([](const Counted& totals) { return totals.waits.controller; })},
      {"circuit.wait_cycles.path", "cycles",
       "Waits of requests for which no middle switches were free, until a release, summed.",
       counted([](const Counted& totals) { return totals.waits.path; })},
  };
  return table;
}

void CircuitNetwork::write_figures(nlohmann::ordered_json& result) const {
  circuit_figures().write(*this, result);
}

CircuitTotals CircuitNetwork::circuit_totals() const {
  CircuitTotals totals = circuit_totals_;
  totals.waits = waiting_.waits();
  return totals;
}

}  // namespace flitcast
