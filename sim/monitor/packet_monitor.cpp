// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>

#include "network/check/inspection.h"
#include "router/store_forward_state.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

/// A packet slot, and the numbers of flits of its packet that have arrived and left. A slot that
/// becomes free in a cycle is reused in a later cycle, so every packet is observed in its slot.
struct MonitoredSlot {
  bool taken = false;
  FlitResidency packet{};  ///< The common part of its flits' residencies.
  std::vector<std::size_t>
      residencies{};        ///< Indices of the recorded residencies, from `first` on.
  std::uint32_t first = 0;  ///< The first recorded flit; earlier flits left before.
  std::uint32_t arrived = 0;
  std::uint32_t left = 0;
};

struct OutputSignals {
  std::size_t queue, source, packet, flits_left, credits;
};

struct MonitoredRouter {
  RouterId id{};
  const StoreForwardState* state = nullptr;  // Its address does not change.
  std::vector<MonitoredSlot> slots{};
  std::size_t packets = 0;  ///< The index of the first signal of the input VCs.
  std::vector<OutputSignals> outputs{};
};

class PacketMonitor final : public FlitMonitor {
 public:
  PacketMonitor(const MonitorPlan& plan, std::unique_ptr<const Inspection> inspection)
      : FlitMonitor(plan, inspection->topology()), inspection_(std::move(inspection)) {
    for (const RouterId id : monitored_routers(plan, inspection_->topology())) {
      const auto& state = static_cast<const StoreForwardState&>(inspection_->state(id));
      MonitoredRouter router{id, &state, std::vector<MonitoredSlot>(state.slot_count)};
      if (plan.signals) add_signals(router);
      routers_.push_back(std::move(router));
    }
  }

 private:
  void add_signals(MonitoredRouter& router);
  void observe(Cycle last) override;
  void see_slots(MonitoredRouter& router, Cycle last);
  void take_slot(const MonitoredRouter& router, MonitoredSlot& slot, const StoredPacket& packet);
  void list_arrivals(MonitoredSlot& slot, std::uint32_t arrived, Cycle last);
  void list_departures(MonitoredSlot& slot, std::uint32_t left, Cycle last);
  void see_signals(const MonitoredRouter& router, Cycle last);
  void see_output(const OutputSignals& signals, const StoreForwardOutput& output, Cycle last);

  std::unique_ptr<const Inspection> inspection_;
  std::vector<MonitoredRouter> routers_;
  std::vector<std::uint32_t> held_;   // The slots of a router that are or were in use.
  std::vector<std::uint32_t> order_;  // The slots of a router in which flits have arrived.
};

template <class Visit>
void for_each_vc(const RouterState& state, unsigned ports, Visit&& visit) {
  for (unsigned port = 0; port < ports; ++port) {
    for (unsigned vc = 0; vc < state.virtual_channels; ++vc) visit(port, vc);
  }
}

SignalPlace place_at(RouterId router, SignalPlace::Side side, unsigned port) {
  return {index(router), side, PortId{static_cast<std::uint16_t>(port)}, std::nullopt};
}

SignalPlace place_at(RouterId router, SignalPlace::Side side, unsigned port, unsigned vc) {
  SignalPlace place = place_at(router, side, port);
  place.vc = VcId{static_cast<std::uint8_t>(vc)};
  return place;
}

void PacketMonitor::add_signals(MonitoredRouter& router) {
  using Side = SignalPlace::Side;
  constexpr unsigned kCount = 16;
  constexpr unsigned kNumber = 32;
  const StoreForwardState& state = *router.state;
  router.packets = seen_.signals.size();
  for_each_vc(state, state.input_ports, [&](unsigned port, unsigned vc) {
    add_signal(place_at(router.id, Side::kInput, port, vc), "packets", kCount);
  });
  for (unsigned port = 0; port < state.output_ports; ++port) {
    const SignalPlace place = place_at(router.id, Side::kOutput, port);
    OutputSignals signals{};
    signals.queue = add_signal(place, "queue", kNumber);
    signals.source = add_signal(place, "source", kNumber);
    signals.packet = add_signal(place, "packet", kNumber);
    signals.flits_left = add_signal(place, "flits_left", kNumber);
    signals.credits = seen_.signals.size();
    for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
      add_signal(place_at(router.id, Side::kOutput, port, vc), "credits", kCount);
    }
    router.outputs.push_back(signals);
  }
}

void PacketMonitor::observe(Cycle last) {
  for (MonitoredRouter& router : routers_) {
    see_slots(router, last);
    if (seen_.plan.signals) see_signals(router, last);
  }
}

std::uint32_t arrived(const StoredPacket& packet) { return packet.length() - packet.missing; }

/// The number of flits of a packet that have left by all of its outputs.
std::uint32_t flits_gone(const StoreForwardState& state, const StoredPacket& packet) {
  std::uint32_t leaving = 0;
  std::uint32_t sent = packet.length();
  for (unsigned port = 0; port < state.output_ports; ++port) {
    const StoreForwardOutput& output = state.channels[port];
    if (output.leaving == nullptr || output.leaving->packet != &packet) continue;
    ++leaving;
    sent = std::min(sent, packet.length() - output.flits_left);
  }
  return leaving == packet.copies_left ? sent
                                       : 0;  // The packet's length if it no longer has a slot.
}

// Arrivals are recorded by port and VC, and for each VC in the order of packets; slots are
// allocated in any order.
void PacketMonitor::see_slots(MonitoredRouter& router, Cycle last) {
  const StoreForwardState& state = *router.state;
  held_.clear();
  order_.clear();
  for (std::uint32_t p = 0; p < state.slot_count; ++p) {
    const StoredPacket& packet = state.slots[p];
    MonitoredSlot& slot = router.slots[p];
    if (packet.copies_left != 0 && !slot.taken) take_slot(router, slot, packet);
    if (!slot.taken) continue;
    held_.push_back(p);
    if (arrived(packet) > slot.arrived) order_.push_back(p);
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t p) {
      return std::make_pair(state.slots[p].input, router.slots[p].packet.packet);
    };
    return key(a) < key(b);
  });
  for (const std::uint32_t p : order_) {
    list_arrivals(router.slots[p], arrived(state.slots[p]), last);
  }
  for (const std::uint32_t p : held_) {
    const StoredPacket& packet = state.slots[p];
    router.slots[p].taken = packet.copies_left != 0;
    list_departures(router.slots[p], flits_gone(state, packet), last);
  }
}

void PacketMonitor::take_slot(const MonitoredRouter& router, MonitoredSlot& slot,
                              const StoredPacket& stored) {
  const Packet& packet = inspection_->packet(stored.head.packet);
  slot = {};
  slot.taken = true;
  slot.packet = {packet.id, 0, packet.length, packet.source, packet.destination, router.id};
  slot.packet.port = PortId{static_cast<std::uint16_t>(router.state->port_of(stored.input))};
  slot.packet.vc = VcId{static_cast<std::uint8_t>(router.state->vc_of(stored.input))};
  if (first()) slot.first = slot.arrived = slot.left = flits_gone(*router.state, stored);
}

void PacketMonitor::list_arrivals(MonitoredSlot& slot, std::uint32_t arrived, Cycle last) {
  FlitResidency residency = slot.packet;
  residency.arrived = first() ? FlitResidency::kBefore : last;
  for (; slot.arrived < arrived; ++slot.arrived) {
    residency.flit = slot.arrived;
    slot.residencies.push_back(seen_.residencies.size());
    seen_.residencies.push_back(residency);
  }
}

void PacketMonitor::list_departures(MonitoredSlot& slot, std::uint32_t left, Cycle last) {
  for (; slot.left < left; ++slot.left) {
    seen_.residencies[slot.residencies[slot.left - slot.first]].left = last;
  }
}

void PacketMonitor::see_signals(const MonitoredRouter& router, Cycle last) {
  const StoreForwardState& state = *router.state;
  std::size_t packets = router.packets;
  for_each_vc(state, state.input_ports, [&](unsigned port, unsigned vc) {
    record(packets++, state.inputs[state.vc_index(port, vc)].count, last);
  });
  for (unsigned port = 0; port < state.output_ports; ++port) {
    see_output(router.outputs[port], state.channels[port], last);
    for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
      const OutputVc& output = state.outputs[state.vc_index(port, vc)];
      record(router.outputs[port].credits + vc, output.credits, last);
    }
  }
}

void PacketMonitor::see_output(const OutputSignals& signals, const StoreForwardOutput& output,
                               Cycle last) {
  record(signals.queue, output.length, last);
  std::optional<std::uint64_t> source, number, flits_left;
  if (output.leaving != nullptr) {
    const Packet& packet = inspection_->packet(output.leaving->packet->head.packet);
    source = index(packet.source);
    number = index(packet.id) & 0xffffffff;
    flits_left = output.flits_left;
  }
  record(signals.source, source, last);
  record(signals.packet, number, last);
  record(signals.flits_left, flits_left, last);
}

}  // namespace

std::unique_ptr<FlitMonitor> monitor_packets(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection) {
  return std::make_unique<PacketMonitor>(plan, std::move(inspection));
}

}  // namespace flitcast
