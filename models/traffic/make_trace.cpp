// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/sequences.h"
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
  const auto leaves = [count](const TraceTask& task) { return highest_node(task) >= count; };
  const TraceTask* const packet = first_where(trace.tasks, leaves);
  if (packet == nullptr) return;
  const auto outside =
      count_if(trace.tasks, [&](const TraceTask& task) { return task.sends() && leaves(task); });
  const auto highest = largest_of<std::size_t>(trace.tasks, highest_node);
  throw ConfigError(
      trace_problem(trace.file_of(static_cast<std::uint32_t>(packet - trace.tasks.data())).name,
                    trace.unit, packet->origin, "",
                    fmt::format("node {} is not one of the {} nodes of {} ({} packets leave it)",
                                highest_node(*packet), count, topology.name(), outside),
                    fmt::format("use a topology of at least {} nodes", highest + 1),
                    index(packet->source) < index(packet->destination) ? packet->destination_column
                                                                       : packet->source_column));
}

/// By rank: the factor of its computations.
std::vector<double> straggler_factors(const Section& workload, std::size_t ranks) {
  std::vector<double> factors(ranks, 1.0);
  ProblemList problems;
  for (const Section& stragglers : workload.sections("stragglers")) {
    for (const std::size_t rank : named_ranks(stragglers, ranks, problems)) {
      if (rank < ranks) factors[rank] *= stragglers.number("factor");
    }
  }
  problems.throw_if_any();
  return factors;
}

/// Lengthens the computations of a trace by noise and for stragglers, to the nearest cycle. Those
/// of a rank take its random numbers in the order of its file, so that noise depends neither on
/// other ranks nor on messages.
///
/// Noise only lengthens, as in Hoefler, Schneider and Lumsdaine, Characterizing the Influence of
/// System Noise on Large-Scale Applications by Simulation, SC 2010.
void lengthen_computations(Trace& trace, const Section& workload, std::uint64_t seed) {
  const double jitter = workload.number("compute_jitter");
  const std::vector<double> factors = straggler_factors(workload, trace.files.size());
  std::vector<Random> noise =
      tabulated(factors.size(), [seed](std::size_t rank) { return Random::stream(seed, rank); });
  double total = 0;
  for (const StreamTask& one : trace.stream_tasks) {
    std::uint64_t& cycles = trace.tasks[one.task].delay;
    const double factor = factors[one.rank] * (1 + jitter * noise[one.rank].uniform());
    const double longer = std::round(static_cast<double>(cycles) * factor);
    total += longer;
    if (total > static_cast<double>(kMaxTraceCycle)) {
      workload.fail("file", "its lengthened computations are beyond any simulation",
                    "use smaller factors, or a shorter trace");
    }
    if (factor > 1) cycles = static_cast<std::uint64_t>(longer);
  }
}

}  // namespace

std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology,
                                        std::uint64_t seed) {
  const TraceFormatEntry& format = *find(trace_formats(), workload.text("format"));
  Trace trace = format.make(workload.path("file"), workload);
  check_nodes(trace, topology);
  if (!trace.stream_tasks.empty()) {
    lengthen_computations(trace, workload, seed);
  } else if (workload.number("compute_jitter") > 0 || !workload.sections("stragglers").empty()) {
    trace.notes.emplace_back("nothing computes: compute_jitter and stragglers have no effect");
  }
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
  append(
      params,
      {Param::choice("dependencies", "Dependencies that a packet waits for.", {"honour", "ignore"}),
       Param::number(
           "compute_jitter", "",
           "Noise, which only lengthens (Hoefler et al., SC 2010): a computation takes its cycles "
           "times 1 to 1 + compute_jitter, drawn uniformly by the seed, rounded.",
           0, 1)
           .defaults_to(0.0)
           .dumped_if_changed(),
       Param::sections(
           "stragglers",
           "Ranks that compute slowly; factors of a rank in several entries multiply.",
           {Param::integers("ranks", "rank", "Such ranks.", 0, 4294967295.0),
            Param::number("factor", "", "Multiplies the cycles of each computation.", 1, 1000)})
           .dumped_if_changed()});
  return params;
}

}  // namespace flitcast
