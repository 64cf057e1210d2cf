// SPDX-License-Identifier: Apache-2.0
#include "sim/flit_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace flitcast {
namespace {

/// A cycle within the window; nothing for others.
std::string known(Cycle cycle) { return cycle == kNever ? "" : fmt::format("{}", index(cycle)); }

}  // namespace

WatchPlan watch_plan(const SignalTrace& trace, const Topology& topology) {
  WatchPlan plan{trace.from, trace.to, {}};
  for (const std::string& name : trace.signals) {
    const SignalGroup group = signal_group(name, topology);
    if (group.kind != SignalGroup::Kind::kRouter) continue;
    plan.routers.push_back(RouterId{static_cast<std::uint32_t>(group.number)});
  }
  std::sort(plan.routers.begin(), plan.routers.end());
  plan.routers.erase(std::unique(plan.routers.begin(), plan.routers.end()), plan.routers.end());
  return plan;
}

FlitWatch::FlitWatch(const WatchPlan& plan, std::unique_ptr<const Inspection> inspection)
    : inspection_(std::move(inspection)), seen_{plan, plan.from, false, {}}, next_(plan.from) {
  std::vector<RouterId> routers = plan.routers;
  if (routers.empty()) {
    for (std::uint32_t r = 0; r < inspection_->topology().router_count(); ++r) {
      routers.push_back(RouterId{r});
    }
  }
  for (const RouterId router : routers) {
    const RouterState& state = inspection_->state(router);
    for (unsigned port = 0; port < state.input_ports; ++port) {
      for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
        buffers_.push_back({router, &state, state.vc_index(port, vc)});
      }
    }
  }
}

// At the beginning of a cycle it sees what the one before has left.
void FlitWatch::look(const Network& network) {
  const Cycle now = network.now();
  const bool first = now == seen_.plan.from;
  for (Buffer& buffer : buffers_) compare(buffer, now, first);
  seen_.end = now;
  seen_.cut_off = seen_.stays.size() >= kMostStays && now < seen_.plan.to;
  next_ = now >= seen_.plan.to || seen_.cut_off ? kNever : now + 1;
}

// What has left was in front, what has come is behind what was there. By how many have
// left one sees what has come and left in the same cycle: its place has not been filled again.
void FlitWatch::compare(Buffer& buffer, Cycle now, bool first) {
  const RouterState& state = *buffer.state;
  const InputVc& vc = state.inputs[buffer.input];
  if (vc.head == buffer.head && vc.count == buffer.stays.size()) return;
  const Cycle last = first ? Cycle{} : Cycle{index(now) - 1};
  const unsigned start = first ? vc.head : buffer.head;
  const unsigned gone = static_cast<std::uint16_t>(vc.head - start);
  const auto at = [&](unsigned place) -> const Flit& {
    return state.slots[state.slot_of(buffer.input, start + place)];
  };
  for (auto place = static_cast<unsigned>(buffer.stays.size()); place < gone + vc.count; ++place) {
    add(buffer, at(place), first ? FlitStay::kBefore : last);
  }
  for (unsigned place = 0; place < gone; ++place) {
    seen_.stays[buffer.stays.front()].left = last;
    buffer.stays.pop_front();
  }
  buffer.head = vc.head;
}

void FlitWatch::add(Buffer& buffer, const Flit& flit, Cycle arrived) {
  const RouterState& state = *buffer.state;
  const Packet& packet = inspection_->packet(flit.packet);
  FlitStay stay{packet.id,          packet.length - 1 - flit.remaining,
                packet.length,      packet.source,
                packet.destination, buffer.router};
  stay.port = PortId{static_cast<std::uint16_t>(state.port_of(buffer.input))};
  stay.vc = VcId{static_cast<std::uint8_t>(state.vc_of(buffer.input))};
  stay.arrived = arrived;
  buffer.stays.push_back(seen_.stays.size());
  seen_.stays.push_back(stay);
}

WatchedFlits FlitWatch::take() { return std::move(seen_); }

std::string flit_log(const WatchedFlits& flits) {
  std::string csv = "packet,flit,router,port,vc,arrived_cycle,left_cycle\n";
  for (const FlitStay& stay : flits.stays) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{}\n", packet_name(stay.packet),
                   stay.flit, index(stay.router), index(stay.port), index(stay.vc),
                   known(stay.arrived), known(stay.left));
  }
  return csv;
}

}  // namespace flitcast
