// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "base/figures.h"
#include "base/sequences.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

constexpr std::size_t kMostSlices = 200'000;

/// A packet in a buffer: the period within the window in which any of its flits was there.
struct Slice {
  const FlitResidency* first = nullptr;
  Cycle begin{};
  Cycle end{};  ///< The first cycle in which none of its flits was there.
  std::uint32_t flits = 0;
  unsigned lane = 0;  ///< Overlapping slices of a buffer have different lanes.
};

// Slices of a thread must not overlap, so packets that share a buffer at the same time get
// different lanes.
constexpr unsigned kLanes = 256;
constexpr unsigned kVcs = 256;

unsigned thread_of(const Slice& slice) {
  const FlitResidency& residency = *slice.first;
  return (index(residency.port) * kVcs + index(residency.vc)) * kLanes + slice.lane;
}

/// Assigns to every slice the first lane that is free when it begins, or the last lane if none is.
void choose_lanes(std::vector<Slice>& slices) {
  std::map<std::pair<RouterId, unsigned>, Cycle> free;
  for (Slice& slice : slices) {
    const auto busy = [&] { return free[{slice.first->router, thread_of(slice)}] > slice.begin; };
    while (slice.lane + 1 < kLanes && busy()) ++slice.lane;
    free[{slice.first->router, thread_of(slice)}] = slice.end;
  }
}

/// Returns the slices in the order in which they begin; a multicast packet has a slice in every
/// router on its paths.
std::vector<Slice> slices_of(const MonitoredFlits& monitored) {
  using Key = std::tuple<PacketId, RouterId, PortId, VcId>;
  std::map<Key, Slice> slices;
  for (const FlitResidency& residency : monitored.residencies) {
    Slice& slice = slices[{residency.packet, residency.router, residency.port, residency.vc}];
    const Cycle begin =
        residency.arrived == FlitResidency::kBefore ? monitored.plan.from : residency.arrived;
    if (slice.flits++ == 0) slice = {&residency, begin, begin, 1};
    slice.end = std::max(slice.end, residency.left == kNever ? monitored.end : residency.left + 1);
  }
  std::vector<Slice> list = mapped(slices, [](const auto& keyed) { return keyed.second; });
  sort_by(list, &Slice::begin);
  choose_lanes(list);
  return list;
}

ordered_json event(const char* phase, const std::string& name, const char* category,
                   std::uint32_t process, unsigned thread, Cycle at) {
  return {{"ph", phase},    {"name", name},  {"cat", category},
          {"pid", process}, {"tid", thread}, {"ts", index(at)}};
}

ordered_json event(const char* phase, const Slice& slice) {
  return event(phase, packet_name(slice.first->packet), "packet", index(slice.first->router),
               thread_of(slice), slice.begin);
}

ordered_json slice_event(const Slice& slice) {
  const FlitResidency& residency = *slice.first;
  ordered_json json = event("X", slice);
  json["dur"] = slice.end - slice.begin;
  json["args"] = {{"source", index(residency.source)},
                  {"destination", index(residency.destination)},
                  {"flits_here", slice.flits},
                  {"length", residency.length}};
  return json;
}

/// The slices of a packet that have no event yet.
struct PendingSlices {
  std::size_t slices = 0;
  bool begun = false;
};

/// Adds the arrow between consecutive slices of a packet, from the first to the last.
void add_arrow(const Slice& slice, PendingSlices& pending, ordered_json& events) {
  const bool first = !std::exchange(pending.begun, true);
  if (--pending.slices == 0 && first) return;
  ordered_json arrow = event(first ? "s" : pending.slices == 0 ? "f" : "t", slice);
  arrow["id"] = packet_name(slice.first->packet);
  if (pending.slices == 0) arrow["bp"] = "e";  // Binds to the enclosing slice, as other arrows do.
  events.push_back(std::move(arrow));
}

ordered_json name_event(const char* what, std::uint32_t process, unsigned thread,
                        std::string name) {
  return {{"ph", "M"},
          {"name", what},
          {"pid", process},
          {"tid", thread},
          {"args", {{"name", std::move(name)}}}};
}

/// Returns "input 2 VC 1", or "input 2 VC 1, behind" for packets behind others in the same buffer.
std::string thread_name(unsigned thread) {
  const unsigned buffer = thread / kLanes;
  return "input " + std::to_string(buffer / kVcs) + " VC " + std::to_string(buffer % kVcs) +
         (thread % kLanes == 0 ? "" : ", behind");
}

void add_names(const std::vector<Slice>& slices, ordered_json& events) {
  std::set<std::tuple<RouterId, unsigned>> threads;
  for (const Slice& slice : slices) {
    threads.emplace(slice.first->router, thread_of(slice));
  }
  std::set<RouterId> routers;
  for (const auto& [router, thread] : threads) {
    if (routers.insert(router).second) {
      events.push_back(
          name_event("process_name", index(router), 0, "router " + std::to_string(index(router))));
    }
    events.push_back(name_event("thread_name", index(router), thread, thread_name(thread)));
  }
}

/// Adds the states of terminals, as processes numbered after those of the routers.
void add_terminals(const MonitoredFlits& monitored, ordered_json& names, ordered_json& events) {
  std::set<NodeId> nodes;
  for (const TerminalInterval& interval : monitored.terminals) {
    const std::uint32_t process = monitored.routers + index(interval.node);
    nodes.insert(interval.node);
    const Cycle end = std::min(interval.end, monitored.end);
    if (end <= interval.begin) continue;
    events.push_back(event("X", interval.state, "terminal", process, 0, interval.begin));
    events.back()["dur"] = end - interval.begin;
    if (interval.packet) events.back()["args"] = {{"packet", packet_name(*interval.packet)}};
  }
  for (const NodeId node : nodes) {
    const std::uint32_t process = monitored.routers + index(node);
    names.push_back(name_event("process_name", process, 0, "node " + std::to_string(index(node))));
    names.push_back(name_event("thread_name", process, 0, "terminal"));
  }
}

}  // namespace

std::string timeline(const MonitoredFlits& monitored) {
  std::vector<Slice> slices = slices_of(monitored);
  const bool cut_off = slices.size() > kMostSlices;
  if (cut_off) slices.resize(kMostSlices);
  ordered_json names = ordered_json::array();
  add_names(slices, names);
  ordered_json events = ordered_json::array();
  add_terminals(monitored, names, events);
  std::map<PacketId, PendingSlices> pending;
  for (const Slice& slice : slices) ++pending[slice.first->packet].slices;
  for (const Slice& slice : slices) {
    events.push_back(slice_event(slice));
    add_arrow(slice, pending[slice.first->packet], events);
  }
  // In a cycle, states of terminals come first.
  std::vector<std::pair<std::uint64_t, const ordered_json*>> sorted;
  for (const ordered_json& one : events) {
    sorted.emplace_back(one.at("ts").get<std::uint64_t>(), &one);
  }
  sort_by(sorted, [](const auto& one) { return one.first; });
  std::string text = "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"1 us is a cycle\",";
  text += "\"complete\":" + std::string(cut_off || monitored.cut_off ? "false" : "true") + "},";
  text += "\"traceEvents\":[";
  const auto add = [&](const ordered_json& one) {
    text += (text.back() == '[' ? "\n" : ",\n") + one.dump();
  };
  for (const ordered_json& name : names) add(name);
  for (const auto& [cycle, one] : sorted) add(*one);
  return text + "\n]}\n";
}

}  // namespace flitcast
