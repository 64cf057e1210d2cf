// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/sequences.h"
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

struct MonitoredRouter {
  RouterId id{};
  const StoreForwardState* state = nullptr;  // The address of the state does not change.
  std::vector<MonitoredSlot> slots{};
};

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
  // `sent` is the packet's length if the packet no longer has a slot.
  return leaving == packet.copies_left ? sent : 0;
}

class PacketMonitor final : public FlitMonitor {
 public:
  PacketMonitor(const MonitorPlan& plan, std::unique_ptr<const Inspection> inspection)
      : FlitMonitor(plan, inspection->topology()), inspection_(std::move(inspection)) {
    for (const RouterId id : monitored_routers(plan, inspection_->topology())) {
      const auto& state = static_cast<const StoreForwardState&>(inspection_->state(id));
      routers_.push_back({id, &state, std::vector<MonitoredSlot>(state.slot_count)});
      add_signals(id, state);
    }
  }

 private:
  static constexpr unsigned kCountBits = 16;
  static constexpr unsigned kNumberBits = 32;

  void add_signals(RouterId id, const StoreForwardState& state) {
    using Side = SignalPlace::Side;
    const auto add_vcs = [&](Side side, unsigned port, const char* name, auto value) {
      for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
        add_signal({index(id), side, to_id<PortId>(port), to_id<VcId>(vc)}, name, kCountBits,
                   [value, i = state.vc_index(port, vc)] { return value(i); });
      }
    };
    for (unsigned port = 0; port < state.input_ports; ++port) {
      add_vcs(Side::kInput, port, "packets",
              [&state](unsigned i) { return state.inputs[i].count; });
    }
    for (unsigned port = 0; port < state.output_ports; ++port) {
      add_output_signals(id, to_id<PortId>(port), state.channels[port]);
      add_vcs(Side::kOutput, port, "credits",
              [&state](unsigned i) { return state.outputs[i].credits; });
    }
  }

  void add_output_signals(RouterId id, PortId port, const StoreForwardOutput& output) {
    const auto add = [&](const char* name, std::function<MonitoredSignal::Value()> value) {
      add_signal({index(id), SignalPlace::Side::kOutput, port}, name, kNumberBits,
                 std::move(value));
    };
    const auto add_leaving = [&](const char* name, std::uint64_t (*value)(const Packet& packet)) {
      add(name, [this, &output, value]() -> MonitoredSignal::Value {
        if (output.leaving == nullptr) return std::nullopt;
        return value(inspection_->packet(output.leaving->packet->head.packet));
      });
    };
    add("queue", [&output] { return output.length; });
    add_leaving("source",
                [](const Packet& packet) -> std::uint64_t { return index(packet.source); });
    add_leaving("packet", [](const Packet& packet) { return index(packet.id) & 0xffffffff; });
    add("flits_left", [&output]() -> MonitoredSignal::Value {
      if (output.leaving == nullptr) return std::nullopt;
      return output.flits_left;
    });
  }

  void observe(Cycle last) override {
    for (MonitoredRouter& router : routers_) see_slots(router, last);
  }

  // Arrivals are recorded by port and VC, and for each VC in the order of packets; slots are
  // allocated in any order.
  void see_slots(MonitoredRouter& router, Cycle last) {
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
    sort_by(order_, [&](std::uint32_t p) {
      return std::make_pair(state.slots[p].input, router.slots[p].packet.packet);
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

  void take_slot(const MonitoredRouter& router, MonitoredSlot& slot, const StoredPacket& stored) {
    const Packet& packet = inspection_->packet(stored.head.packet);
    slot = {};
    slot.taken = true;
    slot.packet = residency_of(packet, 0, router.id, router.state->port_of(stored.input),
                               router.state->vc_of(stored.input));
    if (first()) slot.first = slot.arrived = slot.left = flits_gone(*router.state, stored);
  }

  void list_arrivals(MonitoredSlot& slot, std::uint32_t arrived, Cycle last) {
    FlitResidency residency = slot.packet;
    residency.arrived = first() ? FlitResidency::kBefore : last;
    for (; slot.arrived < arrived; ++slot.arrived) {
      residency.flit = slot.arrived;
      slot.residencies.push_back(seen_.residencies.size());
      seen_.residencies.push_back(residency);
    }
  }

  void list_departures(MonitoredSlot& slot, std::uint32_t left, Cycle last) {
    for (; slot.left < left; ++slot.left) {
      seen_.residencies[slot.residencies[slot.left - slot.first]].left = last;
    }
  }

  std::unique_ptr<const Inspection> inspection_;
  std::vector<MonitoredRouter> routers_;
  std::vector<std::uint32_t> held_;   // The slots of a router that are or were in use.
  std::vector<std::uint32_t> order_;  // The slots of a router in which flits have arrived.
};

}  // namespace

std::unique_ptr<FlitMonitor> monitor_packets(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection) {
  return std::make_unique<PacketMonitor>(plan, std::move(inspection));
}

}  // namespace flitcast
