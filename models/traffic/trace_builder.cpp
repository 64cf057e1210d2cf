// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "traffic/successors.h"

namespace flitcast {
namespace {

/// For every packet how many of its predecessors never arrive: 0 for all unless there is a cycle.
/// Delivers whatever waits for nothing, as an ideal network would (Kahn, 1962, topological
/// sorting).
std::vector<std::uint32_t> waiting_for_ever(const Trace& trace) {
  const Successors successors(trace.packets.size(), trace.dependencies);
  std::vector<std::uint32_t> waiting = predecessor_counts(trace.packets.size(), trace.dependencies);
  std::vector<std::uint32_t> deliverable;
  for (std::uint32_t packet = 0; packet < waiting.size(); ++packet) {
    if (waiting[packet] == 0) deliverable.push_back(packet);
  }
  while (!deliverable.empty()) {
    const std::uint32_t packet = deliverable.back();
    deliverable.pop_back();
    for (const std::uint32_t after : successors.of(packet)) {
      if (--waiting[after] == 0) deliverable.push_back(after);
    }
  }
  return waiting;
}

}  // namespace

TraceBuilder::TraceBuilder(std::string file, Trace::Unit unit) {
  trace_.file = std::move(file);
  trace_.unit = unit;
}

std::optional<TracePacket> TraceBuilder::add(std::uint64_t id, const TracePacket& packet) {
  const auto number = static_cast<std::uint32_t>(trace_.packets.size());
  const auto [entry, added] = packet_of_id_.emplace(id, number);
  if (!added) return trace_.packets[entry->second];
  trace_.packets.push_back(packet);
  ids_.push_back(id);
  return std::nullopt;
}

Trace TraceBuilder::finish(const std::string& key) {
  if (trace_.packets.empty()) {
    throw ConfigError(
        {{trace_.file, 0, 0}, "", "no packets", "use a trace with at least one packet"});
  }
  resolve(key);
  refuse_cycles(key);
  return std::move(trace_);
}

Problem TraceBuilder::problem(std::uint32_t packet, const std::string& key, std::string what,
                              std::string remedy, int column) const {
  return trace_problem(trace_.file, trace_.unit, trace_.packets[packet].origin, key,
                       std::move(what), std::move(remedy), column);
}

int TraceBuilder::column_of(std::uint32_t packet, std::uint32_t before) const {
  const auto found = std::find_if(mentions_.begin(), mentions_.end(), [&](const Mention& mention) {
    return mention.packet == packet && !mention.downwards && mention.id == ids_[before];
  });
  return found == mentions_.end() ? 0 : found->column;
}

void TraceBuilder::resolve(const std::string& key) {
  ProblemList problems;
  trace_.dependencies.reserve(mentions_.size());
  for (const Mention& mention : mentions_) {
    const auto other = packet_of_id_.find(mention.id);
    if (other == packet_of_id_.end()) {
      problems.add(problem(mention.packet, key, fmt::format("no packet has the id {}", mention.id),
                           "name a packet of this file", mention.column));
    } else if (mention.downwards) {
      trace_.dependencies.push_back({mention.packet, other->second});
    } else {
      trace_.dependencies.push_back({other->second, mention.packet});
    }
  }
  problems.throw_if_any();
}

void TraceBuilder::refuse_cycles(const std::string& key) const {
  const std::vector<std::uint32_t> waiting = waiting_for_ever(trace_);
  if (std::all_of(waiting.begin(), waiting.end(), [](std::uint32_t n) { return n == 0; })) return;
  const std::vector<std::uint32_t> packets = cycle(waiting);
  constexpr std::size_t kShown = 8;
  std::string chain = fmt::format("packet {} waits for", ids_[packets.front()]);
  for (std::size_t i = 1; i < std::min(packets.size(), kShown); ++i) {
    chain += fmt::format(" {}, which waits for", ids_[packets[i]]);
  }
  chain += packets.size() > kShown ? fmt::format(" ... {} packets in a circle", packets.size())
                                   : fmt::format(" {}", ids_[packets.front()]);
  const int column = column_of(packets.front(), packets[1 % packets.size()]);
  throw ConfigError(
      problem(packets.front(), key, chain, "remove one of these dependencies", column));
}

std::vector<std::uint32_t> TraceBuilder::cycle(const std::vector<std::uint32_t>& waiting) const {
  // Who never arrives waits for somebody who never arrives: walking that way ends in a cycle.
  std::vector<std::uint32_t> awaited(waiting.size());
  for (const TraceDependency& dependency : trace_.dependencies) {
    if (waiting[dependency.before] != 0) awaited[dependency.after] = dependency.before;
  }
  std::uint32_t packet = 0;
  while (waiting[packet] == 0) ++packet;
  for (std::size_t step = 0; step < waiting.size(); ++step) packet = awaited[packet];
  std::vector<std::uint32_t> packets{packet};
  for (std::uint32_t next = awaited[packet]; next != packet; next = awaited[next]) {
    packets.push_back(next);
  }
  return packets;
}

}  // namespace flitcast
