// SPDX-License-Identifier: Apache-2.0
#include "traffic/make_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "traffic/trace_file.h"
#include "traffic/trace_format.h"

namespace flitcast {
namespace {

std::string resolve(const Section& workload) {
  const std::string beside = workload.path("file");
  std::error_code ignored;  // What cannot be looked at is not there.
  return std::filesystem::exists(beside, ignored) ? beside : workload.text("file");
}

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
                    fmt::format("use a topology of at least {} nodes", std::size_t{highest} + 1)));
}

}  // namespace

std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology) {
  const std::string path = resolve(workload);
  const auto in = open_trace_file(path);
  if (!in) workload.fail("file", "cannot read \"" + path + "\"", "name a file that can be read");
  Trace trace = find(trace_formats(), workload.text("format"))->make(*in, path, workload);
  require_nodes(trace, topology);
  return std::make_unique<TraceSource>(std::move(trace), topology.node_count(),
                                       workload.text("dependencies") == "honour");
}

}  // namespace flitcast
