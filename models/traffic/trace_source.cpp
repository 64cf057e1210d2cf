// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_source.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "base/sequences.h"

namespace flitcast {

TraceSource::TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies,
                         std::size_t node_ports)
    : notes_(std::move(trace.notes)),
      collectives_(std::move(trace.collectives)),
      streams_(trace.streams),
      node_ports_(node_ports),
      tasks_(std::move(trace.tasks)),
      packet_count_(static_cast<std::size_t>(
          count_if(tasks_, [](const TraceTask& task) { return task.sends(); }))),
      successors_(honour_dependencies ? Successors(tasks_.size(), trace.dependencies)
                                      : Successors(tasks_.size(), {})),
      awaited_(honour_dependencies ? predecessor_counts(tasks_.size(), trace.dependencies)
                                   : std::vector<std::uint32_t>(tasks_.size())),
      wants_deliveries_(honour_dependencies && !trace.dependencies.empty()),
      ends_(wants_deliveries_ && packet_count_ < tasks_.size() ? tasks_.size() : 0),
      needs_(trace.stream_tasks.empty() ? 0 : tasks_.size()),
      nodes_(node_count) {
  for (const StreamTask& one : trace.stream_tasks) {
    const auto unit = static_cast<std::uint8_t>(one.unit);
    if (streams_[unit] != 0) needs_[one.task] = {one.number, unit};
  }
  std::vector<WakeUp> nobody_sleeps;
  for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
    const TraceTask& facts = tasks_[task];
    if (index(facts.source) >= node_count || index(facts.destination) >= node_count) {
      throw std::invalid_argument("a trace packet's node is outside the network");
    }
    if (awaited_[task] == 0) begin(task, fresh_, nobody_sleeps);
  }
  begin_what_waited(fresh_, nobody_sleeps);
}

// Streams are given to tasks when all tasks that are ready or end in this cycle are known.
Cycle TraceSource::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  while (next(node) <= now) {
    const Cycle cycle = next(node);
    while (next(node) == cycle) take_event(node, packets);
    if (!needs_.empty()) fill_streams(node, cycle);
  }
  return next(node);
}

void TraceSource::take_event(Node& node, std::vector<PacketRequest>& packets) {
  const auto [cycle, task] = node.events.front();
  std::pop_heap(node.events.begin(), node.events.end(), std::greater<>());
  node.events.pop_back();
  if (tasks_[task].sends()) {
    PacketRequest packet{tasks_[task].destination, tasks_[task].length, task};
    // The packet before this one at the same port.
    packet.continues =
        task >= node_ports_ && of_one_message(task, task - static_cast<std::uint32_t>(node_ports_));
    packets.push_back(packet);
    ++node.created;
    return;
  }
  Unit& unit = node.units[needs_[task].unit];
  if (!needs_[task].runs) {
    unit.waiting.emplace(needs_[task].number, task);
    return;
  }
  --unit.running;
  unit.last = task;
  end(task, cycle, node.fresh);
  std::vector<WakeUp> awake;  // Only tasks of this node wait for a computation.
  begin_what_waited(node.fresh, awake);
}

void TraceSource::fill_streams(Node& node, Cycle now) {
  for (std::size_t u = 0; u < kComputeUnits; ++u) {
    Unit& unit = node.units[u];
    for (; unit.running < streams_[u] && !unit.waiting.empty(); ++unit.running) {
      const std::uint32_t task = unit.waiting.begin()->second;
      unit.waiting.erase(unit.waiting.begin());
      TraceTask& facts = tasks_[task];
      if (now > facts.earliest && !ends_.empty()) ends_[task].cause = unit.last;
      facts.earliest = now + facts.delay;
      needs_[task].runs = true;
      schedule(task, facts.earliest);
    }
  }
}

void TraceSource::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const auto task = static_cast<std::uint32_t>(delivery.packet.tag);
  if (!ends_.empty()) ends_[task].hops = delivery.hops;
  end(task, delivery.arrival + 1, fresh_);
  begin_what_waited(fresh_, wake_ups);
  if (++delivered_ == packet_count_ && !needs_.empty()) compute_to_the_end();
}

// Runs the computations that are left after the last packet, at which the network stops.
void TraceSource::compute_to_the_end() {
  std::vector<PacketRequest> none;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    create(NodeId{node}, Cycle{index(kNever) - 1}, none);
  }
}

// From here on TraceTask::earliest is the cycle in which the task's packet is created or its
// computation ends; of a task that waits for a stream, the cycle in which it is ready.
void TraceSource::begin(std::uint32_t task, Ends& fresh, std::vector<WakeUp>& wake_ups) {
  TraceTask& facts = tasks_[task];
  if (!needs_stream(task)) {
    facts.earliest = facts.earliest + facts.delay;
    if (!facts.sends()) return end(task, facts.earliest, fresh);
  }
  schedule(task, facts.earliest);
  wake_ups.push_back({facts.source, facts.earliest});
}

void TraceSource::schedule(std::uint32_t task, Cycle cycle) {
  std::vector<Event>& events = node_of(task).events;
  events.emplace_back(cycle, task);
  std::push_heap(events.begin(), events.end(), std::greater<>());
}

void TraceSource::end(std::uint32_t task, Cycle cycle, Ends& fresh) {
  fresh.emplace_back(task, cycle);
  ++node_of(task).ended;
  if (!ends_.empty()) ends_[task].end = cycle;
}

void TraceSource::begin_what_waited(Ends& fresh, std::vector<WakeUp>& wake_ups) {
  while (!fresh.empty()) {
    const auto [before, end] = fresh.back();
    fresh.pop_back();
    for (const std::uint32_t after : successors_.of(before)) {
      if (end > tasks_[after].earliest) {
        tasks_[after].earliest = end;
        if (!ends_.empty()) ends_[after].cause = before;
      }
      if (--awaited_[after] == 0) begin(after, fresh, wake_ups);
    }
  }
}

bool TraceSource::of_one_message(std::uint32_t a, std::uint32_t b) const {
  const TraceTask& one = tasks_[a];
  const TraceTask& other = tasks_[b];
  return one.sends() && other.sends() && other.origin == one.origin && other.source == one.source &&
         other.destination == one.destination && other.earliest == one.earliest;
}

std::optional<TaskChain> TraceSource::longest_chain() const {
  const auto ended = sum_of<std::size_t>(nodes_, &Node::ended);
  if (ends_.empty() || ended < tasks_.size()) return std::nullopt;
  const auto last = std::max_element(ends_.begin(), ends_.end(),
                                     [](const End& a, const End& b) { return a.end < b.end; });
  TaskChain chain;
  chain.cycles = index(last->end);
  for (auto task = static_cast<std::uint32_t>(last - ends_.begin()); task != kNobody;
       task = ends_[task].cause) {
    const std::uint32_t cause = ends_[task].cause;
    const Cycle begin = cause == kNobody ? Cycle{0} : ends_[cause].end;
    chain.compute += tasks_[task].earliest - begin;
    const bool arrived = tasks_[task].sends() && ends_[task].end > Cycle{0};
    if (arrived) chain.messages.push_back(message_of(task));
  }
  return chain;
}

TaskChain::Message TraceSource::message_of(std::uint32_t task) const {
  const TraceTask& last = tasks_[task];
  TaskChain::Message message{0, 0, last.length, ends_[task].hops, ends_[task].end - last.earliest};
  for (std::uint32_t part = task + 1; part-- > 0 && of_one_message(task, part);) {
    ++message.packets;
    message.flits += tasks_[part].length;
  }
  return message;
}

// Sorts tasks by node and begin; overlapping computations count once.
std::vector<NodeTime> TraceSource::node_times() const {
  const auto chain = longest_chain();
  if (!chain) return {};
  std::vector<std::size_t> tasks = numbers(tasks_.size());
  const auto begin_of = [&](std::size_t task) {
    return index(tasks_[task].earliest) - tasks_[task].delay;
  };
  sort_by(tasks, [&](std::size_t task) { return std::pair(tasks_[task].source, begin_of(task)); });
  std::vector<NodeTime> times;
  std::uint64_t known_until = 0;
  for (const std::size_t task : tasks) {
    const NodeId node = tasks_[task].source;
    if (times.empty() || times.back().node != node) {
      times.push_back({node, 0, chain->cycles});
      known_until = 0;
    }
    const std::uint64_t end = index(tasks_[task].earliest);
    const std::uint64_t begin = std::max(begin_of(task), known_until);
    if (tasks_[task].delay == 0 || end <= begin) continue;
    times.back().compute += end - begin;
    times.back().idle -= end - begin;
    known_until = end;
  }
  return times;
}

}  // namespace flitcast
