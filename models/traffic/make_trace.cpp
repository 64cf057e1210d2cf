// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traffic/chakra_file.h"
#include "traffic/trace.h"
#include "traffic/trace_source.h"

namespace flitcast {
namespace {

/// The largest node number in the task.
std::uint32_t highest_node(const TraceTask& task) {
  return std::max(index(task.source), index(task.destination));
}

void check_nodes(const Trace& trace, const Topology& topology) {
  const std::size_t count = topology.node_count();
  std::size_t outside = 0;
  std::uint32_t highest = 0;
  std::uint32_t first = 0;
  for (std::uint32_t task = 0; task < trace.tasks.size(); ++task) {
    if (highest_node(trace.tasks[task]) < count) continue;
    if (highest == 0) first = task;
    highest = std::max(highest, highest_node(trace.tasks[task]));
    outside += trace.tasks[task].sends() ? 1 : 0;
  }
  if (highest == 0) return;
  const TraceTask& packet = trace.tasks[first];
  throw ConfigError(
      trace_problem(trace.file_of(first).name, trace.unit, packet.origin, "",
                    fmt::format("node {} is not one of the {} nodes of {} ({} packets leave it)",
                                highest_node(packet), count, topology.name(), outside),
                    fmt::format("use a topology of at least {} nodes", std::size_t{highest} + 1),
                    index(packet.source) < index(packet.destination) ? packet.destination_column
                                                                     : packet.source_column));
}

}  // namespace

std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology) {
  const TraceFormatEntry& format = *find(trace_formats(), workload.text("format"));
  Trace trace = format.make(workload.path("file"), workload);
  check_nodes(trace, topology);
  return std::make_unique<TraceSource>(std::move(trace), topology.node_count(),
                                       workload.text("dependencies") == "honour",
                                       topology.node_ports());
}

std::vector<Param> trace_params() {
  std::vector<Param> params =
      catalog_params(Param::choice("format", "Format of the trace."), trace_formats());
  params.push_back(
      Param::file("file",
                  "The trace, plain or compressed with bzip2; for a format with one file per rank, "
                  "the folder of the files or the start of their names. Relative to the "
                  "configuration's folder or else to the working directory."));
  params.back().parts = kChakraEnding;
  params.push_back(
      Param::choice("dependencies", "Dependencies that a packet waits for.", {"honour", "ignore"}));
  return params;
}

}  // namespace flitcast
