// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "config/wording.h"
#include "traffic/trace.h"

namespace flitcast {

TraceSource::TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies)
    : notes_(std::move(trace.notes)),
      packets_(std::move(trace.packets)),
      successors_(honour_dependencies ? Successors(packets_.size(), trace.dependencies)
                                      : Successors(packets_.size(), {})),
      awaited_(honour_dependencies ? predecessor_counts(packets_.size(), trace.dependencies)
                                   : std::vector<std::uint32_t>(packets_.size())),
      nodes_(node_count),
      wants_deliveries_(honour_dependencies && !trace.dependencies.empty()) {
  for (std::uint32_t packet = 0; packet < packets_.size(); ++packet) {
    const TracePacket& facts = packets_[packet];
    if (index(facts.source) >= node_count || index(facts.destination) >= node_count) {
      throw std::invalid_argument("a trace packet's node is outside the network");
    }
    if (awaited_[packet] == 0) make_ready(packet);
  }
}

Cycle TraceSource::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  while (next(node) <= now) {
    const std::uint32_t packet = node.ready.front().second;
    packets.push_back({packets_[packet].destination, packets_[packet].length, packet});
    std::pop_heap(node.ready.begin(), node.ready.end(), std::greater<>());
    node.ready.pop_back();
    ++node.created;
  }
  return next(node);
}

void TraceSource::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  for (const std::uint32_t after :
       successors_.of(static_cast<std::uint32_t>(delivery.packet.tag))) {
    TracePacket& waiting = packets_[after];
    waiting.earliest = std::max(waiting.earliest, delivery.arrival + 1);
    if (--awaited_[after] != 0) continue;
    make_ready(after);
    wake_ups.push_back({waiting.source, waiting.earliest});
  }
}

std::uint32_t TraceSource::longest_packet() const {
  std::uint32_t longest = 0;
  for (const TracePacket& packet : packets_) longest = std::max(longest, packet.length);
  return longest;
}

std::size_t TraceSource::created_count() const {
  std::size_t count = 0;
  for (const Node& node : nodes_) count += node.created;
  return count;
}

void TraceSource::make_ready(std::uint32_t packet) {
  std::vector<Ready>& ready = nodes_[index(packets_[packet].source)].ready;
  ready.emplace_back(packets_[packet].earliest, packet);
  std::push_heap(ready.begin(), ready.end(), std::greater<>());
}

namespace {

/// The largest node number that the packet needs.
std::uint32_t highest_node(const TracePacket& packet) {
  return std::max(index(packet.source), index(packet.destination));
}

void require_nodes(const Trace& trace, const Topology& topology) {
  const std::size_t count = topology.node_count();
  std::size_t outside = 0;
  std::uint32_t highest = 0;
  const TracePacket* first = nullptr;
  for (const TracePacket& packet : trace.packets) {
    highest = std::max(highest, highest_node(packet));
    if (highest_node(packet) < count) continue;
    if (outside++ == 0) first = &packet;
  }
  if (first == nullptr) return;
  throw ConfigError(
      trace_problem(trace.file, trace.unit, first->origin, "",
                    fmt::format("node {} is not one of the {} nodes of {} ({} packets leave it)",
                                highest_node(*first), count, topology.name(), outside),
                    fmt::format("use a topology of at least {} nodes", std::size_t{highest} + 1),
                    index(first->source) < index(first->destination) ? first->destination_column
                                                                     : first->source_column));
}

}  // namespace

std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology) {
  const std::string path = workload.path("file");
  const auto in = open_trace_file(path);
  if (!in) workload.fail("file", "cannot read " + quoted(path), "name a file that can be read");
  Trace trace = find(trace_formats(), workload.text("format"))->make(*in, path, workload);
  require_nodes(trace, topology);
  return std::make_unique<TraceSource>(std::move(trace), topology.node_count(),
                                       workload.text("dependencies") == "honour");
}

std::vector<Param> trace_params() {
  std::vector<Param> params =
      menu_params(Param::choice("format", "How the packets are written down."), trace_formats());
  params.push_back(Param::file(
      "file",
      "The trace, plain or compressed by bzip2; relative to the configuration's folder or else to "
      "the working directory."));
  params.push_back(Param::choice("dependencies",
                                 "Whether a packet waits for the packets that it depends on.",
                                 {"honour", "ignore"}));
  return params;
}

}  // namespace flitcast
