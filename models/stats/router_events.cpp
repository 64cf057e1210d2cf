// SPDX-License-Identifier: Apache-2.0
#include "stats/router_events.h"

#include <optional>
#include <utility>

#include "base/flit.h"
#include "base/sequences.h"
#include "network/circuit/circuit_network.h"
#include "router/router_state.h"
#include "router/store_forward_state.h"
#include "topology/adjacency.h"

namespace flitcast {

/// Observes one router after every cycle and adds its events.
class RouterMonitor {
 public:
  virtual ~RouterMonitor() = default;
  virtual void observe(RouterEvents& events) = 0;
};

namespace {

/// The values on the wires of one direction of a channel.
struct Wires {
  bool valid = false;
  std::uint64_t header = 0;  ///< Bits of the header; zero without a flit, and so is `vc`.
  unsigned vc = 0;
};

double ones(std::uint64_t bits) { return __builtin_popcountll(bits); }

/// @param number  The number of the packet.
std::uint64_t header_of(const FlitFormat& format, const Flit& packet, std::uint64_t number,
                        std::uint32_t remaining, bool head) {
  const auto field = [](std::uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  };
  std::uint64_t header = field(number, format.number_bits);
  header = header << format.head_bits | (head ? 1 : 0);
  header = header << format.remaining_bits | field(remaining, format.remaining_bits);
  return header << format.destination_bits |
         field(index(packet.destination), format.destination_bits);
}

/// The changed bits of flit and valid.
double changed_bits(const FlitFormat& format, const Wires& before, const Wires& now) {
  if (!before.valid && !now.valid) return 0;
  return ones(before.header ^ now.header) + (before.valid != now.valid ? 1 : 0) +
         format.payload_changes();
}

/// The expected number of changed header bits if only the presence of flits is known: destinations
/// and packet numbers count as random.
double expected_header_changes(const FlitFormat& format, bool before, bool now) {
  if (!before && !now) return 0;
  constexpr double kCountdown = 1.5;  // Mean changes of a binary counter from one flit to the next.
  return before && now ? kCountdown : 1 + 0.5 * (format.destination_bits + format.number_bits);
}

/// The changed bits of a VC number.
double changed_vc_bits(const Wires& before, const Wires& now) { return ones(before.vc ^ now.vc); }
/// The changed bits of a credit, which consists of a VC number and valid.
double changed_credit_bits(const Wires& before, const Wires& now) {
  return changed_vc_bits(before, now) + (before.valid != now.valid ? 1 : 0);
}

/// The sender of the flits that reach an input of a router: an output of another router, or a port
/// of a node; both are absent if no channel ends at the input.
struct Sender {
  std::optional<Endpoint> output{};
  std::optional<NodeId> node{};
  std::size_t port = 0;  ///< Port of the node.
};

/// A router and what is around it.
struct ObservedRouter {
  const Network& network;
  const FlitFormat& format;
  RouterId id;
  std::vector<Sender> senders;  ///< Indexed by input.
  std::vector<char> to_router;  ///< By output: 1 if it leads to another router.
};

/// Observes the ports of a router.
class PortMonitor : public RouterMonitor {
 protected:
  /// A port of the router with the previous and the current values of its wires.
  struct Port {
    Wires before;
    Wires now;
    unsigned source = kNoSource;         ///< For an output: the input that it serves now.
    unsigned source_before = kNoSource;  ///< For an output: the input that it served before.
  };
  static constexpr unsigned kNoSource = ~0U;

  explicit PortMonitor(ObservedRouter router)
      : router_(std::move(router)),
        inputs_(router_.senders.size()),
        outputs_(router_.to_router.size()) {}

  void begin_cycle() {
    for (Port& input : inputs_) input = {input.now, {}};
    for (Port& output : outputs_) output = {output.now, {}, kNoSource, output.source};
  }

  void end_cycle(RouterEvents& events) const {
    for (const Port& input : inputs_) {
      if (input.now.valid) ++events.flits_in;
      events.bits_in += changed_bits(router_.format, input.before, input.now);
    }
    for (unsigned p = 0; p < outputs_.size(); ++p) count_output(p, events);
  }

  const ObservedRouter router_;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;

 private:
  void count_output(unsigned p, RouterEvents& events) const {
    const Port& port = outputs_[p];
    const double bits = changed_bits(router_.format, port.before, port.now);
    if (port.now.valid) ++events.flits_out;
    events.bits_out += bits;
    (router_.to_router[p] ? events.link_bits : events.node_bits) +=
        bits + changed_vc_bits(port.before, port.now);
    if (port.source != port.source_before) {
      events.source_changes += (port.source != kNoSource) + (port.source_before != kNoSource);
    }
  }
};

/// Observes ports by their counts of flits, which grow by at most one in a cycle.
class CountingMonitor : public PortMonitor {
 protected:
  explicit CountingMonitor(ObservedRouter router)
      : PortMonitor(std::move(router)),
        received_(tabulated(inputs_.size(), [&](std::size_t i) { return flits_to(i); })),
        sent_(tabulated(outputs_.size(), [&](std::size_t o) { return flits_from(o); })) {}

  void observe_inputs() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::uint64_t flits = flits_to(i);
      inputs_[i].now.valid = std::exchange(received_[i], flits) != flits;
    }
  }
  /// True if a flit has left by the output in this cycle.
  bool sends(std::size_t o) {
    const std::uint64_t flits = flits_from(o);
    return std::exchange(sent_[o], flits) != flits;
  }

 private:
  std::uint64_t flits_to(std::size_t i) const {
    const auto& [output, node, port] = router_.senders[i];
    if (node) return router_.network.flits_injected(*node, port);
    return output ? router_.network.flits_from(*output) : 0;
  }
  std::uint64_t flits_from(std::size_t o) const {
    return router_.network.flits_from({router_.id, to_id<PortId>(o)});
  }

  std::vector<std::uint64_t> received_;  // The flits sent to an input so far.
  std::vector<std::uint64_t> sent_;      // The flits sent by an output so far.
};

/// Monitors a crossbar of stages that take one cycle: a flit that leaves a crossbar is at the next
/// crossbar in the following cycle.
class CrossbarMonitor final : public CountingMonitor {
 public:
  CrossbarMonitor(ObservedRouter router, const CrossbarCore& crossbar)
      : CountingMonitor(std::move(router)), crossbar_(crossbar) {
    static_assert(kNoSource == CrossbarCore::kNone);
    see_drivers();
  }

  void observe(RouterEvents& events) override {
    begin_cycle();
    observe_inputs();
    for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o].now.valid = sends(o);
    see_drivers();
    end_cycle(events);
  }

 private:
  void see_drivers() {
    for (unsigned o = 0; o < outputs_.size(); ++o) outputs_[o].source = crossbar_.driver(o);
  }

  const CrossbarCore& crossbar_;
};

/// Monitors routers that send single flits, at most one per cycle and VC.
class FlitMonitor final : public PortMonitor {
 public:
  FlitMonitor(ObservedRouter router, const Inspection& inspection)
      : PortMonitor(std::move(router)),
        inspection_(inspection),
        state_(inspection.state(router_.id)),
        vcs_(state_.vc_index(state_.input_ports, 0)),
        last_vc_(state_.input_ports, kNoVc),
        credits_(state_.input_ports) {
    for (unsigned i = 0; i < vcs_.size(); ++i) vcs_[i] = memory_of(state_.inputs[i], false);
  }

  void observe(RouterEvents& events) override {
    begin_cycle();
    for (Port& credits : credits_) credits = {credits.now, {}};
    for (unsigned p = 0; p < state_.input_ports; ++p) {
      for (unsigned v = 0; v < state_.virtual_channels; ++v) observe_vc(p, v, events);
    }
    end_cycle(events);
    for (unsigned p = 0; p < state_.input_ports; ++p) {
      (router_.senders[p].output ? events.link_bits : events.node_bits) +=
          changed_credit_bits(credits_[p].before, credits_[p].now);
    }
  }

 private:
  /// The state of an input VC in the previous cycle: members of InputVc, and whether the VC sent.
  struct Memory {
    unsigned left = 0;
    unsigned count = 0;
    unsigned output = 0;
    bool sent = false;
  };
  static constexpr unsigned kNoVc = ~0U;

  static Memory memory_of(const InputVc& vc, bool sent) {
    return {vc.left, vc.count, vc.output, sent};
  }

  void observe_vc(unsigned p, unsigned v, RouterEvents& events) {
    const unsigned i = state_.vc_index(p, v);
    const InputVc& vc = state_.inputs[i];
    const Memory before = vcs_[i];
    const bool sent = vc.left != before.left;
    if (sent) see_departure(p, v, before, events);
    if (vc.count + (sent ? 1U : 0U) != before.count) {
      const Flit last = vc.count == 0 ? left_last(i) : state_.flit_behind(i, vc.count - 1U);
      inputs_[p].now = wires_of(last, v);
    }
    if (sent != before.sent) ++events.send_changes;
    if (vc.count != 0 && vc.route_vcs != 0 && vc.output == InputVc::kNone) ++events.waits;
    vcs_[i] = memory_of(vc, sent);
  }

  Flit left_last(unsigned i) const {
    Flit flit = state_.left_last(i);
    flit.head = flit.remaining + 1U == inspection_.packet(flit.packet).length;
    return flit;
  }

  // The output VC was held before, unless speculation granted it in the cycle of the departure.
  void see_departure(unsigned p, unsigned v, const Memory& before, RouterEvents& events) {
    const unsigned i = state_.vc_index(p, v);
    const Flit flit = left_last(i);
    const unsigned held =
        before.output != InputVc::kNone ? before.output : state_.inputs[i].last_output;
    Port& output = outputs_[state_.port_of(held)];
    output.now = wires_of(flit, state_.vc_of(held));
    output.source = p;
    if (flit.head) ++events.packets;
    if (last_vc_[p] != v && last_vc_[p] != kNoVc) ++events.vc_changes;
    last_vc_[p] = v;
    credits_[p].now = {true, 0, v};
  }

  Wires wires_of(const Flit& flit, unsigned vc) const {
    return {true, header_of(router_.format, flit, 0, flit.remaining, flit.head), vc};
  }

  const Inspection& inspection_;
  const RouterState& state_;
  std::vector<Memory> vcs_;
  std::vector<unsigned> last_vc_;  // The VC that sent last, per input port.
  std::vector<Port> credits_;      // The wires of credits, indexed by input port.
};

/// Monitors routers that keep whole packets: an output whose count of flits has increased has sent
/// the next flit of the packet that leaves.
class PacketMonitor final : public CountingMonitor {
 public:
  PacketMonitor(ObservedRouter router, const Inspection& inspection)
      : CountingMonitor(std::move(router)),
        inspection_(inspection),
        state_(static_cast<const StoreForwardState&>(inspection.state(router_.id))),
        leaving_(state_.output_ports) {}

  void observe(RouterEvents& events) override {
    begin_cycle();
    double taken = 0;
    for (unsigned o = 0; o < state_.output_ports; ++o) {
      if (!observe_output(o)) continue;
      ++taken;
      events.length_changes += length_change(leaving_[o]);
    }
    observe_inputs();
    end_cycle(events);
    for (const Port& input : inputs_) {
      events.bits_in +=
          expected_header_changes(router_.format, input.before.valid, input.now.valid);
    }
    double waiting = taken;
    for (unsigned o = 0; o < state_.output_ports; ++o) waiting += state_.channels[o].length;
    events.packets += taken;
    events.waits += waiting;
    events.crowds += taken * waiting;
    // Each packet's credit counts as two changes; over time, as many packets leave the inputs as
    // reach the outputs.
    events.link_bits += 2 * taken;
  }

 private:
  /// The packet that leaves by an output.
  struct Leaving {
    Flit packet{};             ///< Head of the packet.
    std::uint64_t number = 0;  ///< The packet's number; its slot would depend on partitions.
    /// Length of the previous packet, without its head.
    std::optional<std::uint16_t> length_before{};
    bool open = false;  ///< The head has left and the tail has not.
  };

  /// Observes an output. Returns true if a packet has begun to leave in this cycle.
  bool observe_output(unsigned o) {
    if (!sends(o)) return false;
    Leaving& leaving = leaving_[o];
    const StoreForwardOutput& output = state_.channels[o];
    const bool ends = output.leaving == nullptr;
    if (!ends) {
      leaving.packet = output.leaving->packet->head;
      leaving.number = index(inspection_.packet(leaving.packet.packet).id);
    }
    const std::uint32_t remaining = ends ? 0 : output.flits_left;
    // A packet of one flit has left completely, so its head is not visible any more.
    const bool begins = !leaving.open;
    if (ends && begins) leaving.packet.remaining = 0;
    leaving.open = !ends;
    outputs_[o].now = {true,
                       header_of(router_.format, leaving.packet, leaving.number, remaining, begins),
                       output.vc};
    return begins;
  }

  static double length_change(Leaving& leaving) {
    const std::uint16_t length = leaving.packet.remaining;
    const auto before = std::exchange(leaving.length_before, length);
    return before ? ones(*before ^ length) : 0;
  }

  const Inspection& inspection_;
  const StoreForwardState& state_;
  std::vector<Leaving> leaving_;  // Indexed by output.
};

/// The senders of all inputs, indexed by router and input.
std::vector<std::vector<Sender>> senders_of(const Topology& topology) {
  std::vector<std::vector<Sender>> senders;
  for (const RouterId r : topology.routers()) senders.emplace_back(topology.input_count(r));
  const auto at = [&](const Endpoint& input) -> Sender& {
    return senders[index(input.router)][index(input.port)];
  };
  for (const Channel& channel : topology.channels()) at(channel.to).output = channel.from;
  for (const NodeId n : topology.nodes()) {
    for (std::size_t port = 0; port < topology.node_ports(); ++port) {
      at(topology.attachment(n, port).injection) = {std::nullopt, n, port};
    }
  }
  return senders;
}

}  // namespace

RouterEvents& RouterEvents::operator+=(const RouterEvents& other) {
  for (const EventName& event : event_names()) this->*event.count += other.*event.count;
  link_bits += other.link_bits;
  node_bits += other.node_bits;
  return *this;
}

const std::vector<EventName>& event_names() {
  static const std::vector<EventName> names{{"flits_in", &RouterEvents::flits_in},
                                            {"bits_in", &RouterEvents::bits_in},
                                            {"flits_out", &RouterEvents::flits_out},
                                            {"bits_out", &RouterEvents::bits_out},
                                            {"packets", &RouterEvents::packets},
                                            {"waits", &RouterEvents::waits},
                                            {"crowds", &RouterEvents::crowds},
                                            {"vc_changes", &RouterEvents::vc_changes},
                                            {"length_changes", &RouterEvents::length_changes},
                                            {"send_changes", &RouterEvents::send_changes},
                                            {"source_changes", &RouterEvents::source_changes}};
  return names;
}

EventCounter::EventCounter(const Network& network, const FlitFormat& format)
    : format_(format), inspection_(network.inspection()) {
  const auto* const circuits = dynamic_cast<const CircuitNetwork*>(&network);
  const Topology& topology =
      inspection_ == nullptr ? circuits->topology() : inspection_->topology();
  const Adjacency adjacency(topology);
  for (std::vector<Sender>& senders : senders_of(topology)) {
    const auto id = to_id<RouterId>(monitors_.size());
    const auto to_router = tabulated(topology.output_count(id), [&](std::size_t output) -> char {
      return adjacency.leaving(id, to_id<PortId>(output)) == Adjacency::kNone ? 0 : 1;
    });
    ObservedRouter router{network, format_, id, std::move(senders), to_router};
    if (inspection_ == nullptr) {
      const CrossbarCore& crossbar = circuits->stages().crossbar(index(id));
      monitors_.push_back(std::make_unique<CrossbarMonitor>(std::move(router), crossbar));
    } else if (inspection_->params().unit() == BufferUnit::kPacket) {
      monitors_.push_back(std::make_unique<PacketMonitor>(std::move(router), *inspection_));
    } else {
      monitors_.push_back(std::make_unique<FlitMonitor>(std::move(router), *inspection_));
    }
  }
  events_.resize(monitors_.size());
}

EventCounter::~EventCounter() = default;

void EventCounter::observe() {
  for (std::size_t r = 0; r < monitors_.size(); ++r) monitors_[r]->observe(events_[r]);
}

}  // namespace flitcast
