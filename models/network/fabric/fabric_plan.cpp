// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/sequences.h"
#include "network/fabric/partition.h"
#include "router/bump_allocator.h"

namespace flitcast {

std::size_t most_ports(const Topology& topology) {
  return largest_of<std::size_t>(topology.routers(), [&](const RouterId router) {
    return std::max(topology.input_count(router), topology.output_count(router));
  });
}

unsigned core_words(const Topology& topology, const RouterParams& params) {
  const std::size_t ports = most_ports(topology);
  const std::size_t bits = ports << detail::log2_ceil(params.virtual_channels);
  for (const unsigned words : kCoreWidths) {
    const std::size_t most_ports = words == 1 ? 64 : 128;
    if (bits <= std::size_t{64} * words && ports <= most_ports) return words;
  }
  return 0;
}

namespace {

// The limits are the same as those of the keys of experiments.
constexpr std::uint32_t kLongestLink = 1'000'000;
constexpr std::uint32_t kSlowestLink = 1024;
constexpr std::uint32_t kDeepestBuffer = 65535;

std::vector<std::string> out_of_range(const NetworkParams& params) {
  std::vector<std::string> problems;
  const auto require = [&](const char* name, std::uint64_t value, std::uint64_t least,
                           std::uint64_t most) {
    if (value >= least && value <= most) return;
    problems.push_back(fmt::format("{}: {} is not from {} to {}", name, value, least, most));
  };
  const Pipeline& pipeline = params.router.pipeline;
  require("virtual_channels", params.router.virtual_channels, 1, kMaxVirtualChannels);
  require("buffer_depth", params.router.buffer_depth, 1, kDeepestBuffer);
  require("shortest_packet", params.router.shortest_packet, 1, kMaxPacketLength);
  require("pipeline.route", pipeline.route, 0, Pipeline::kLongest);
  require("pipeline.vc_allocation", pipeline.vc_allocation, 0, Pipeline::kLongest);
  require("pipeline.switch_allocation", pipeline.switch_allocation, 1, Pipeline::kLongest);
  require("pipeline.traversal", pipeline.traversal, 0, Pipeline::kLongest);
  require("combine", params.router.combine, 0, RouterParams::kLongestCombine);
  require("link_latency", params.link_latency, 1, kLongestLink);
  require("credit_latency", params.credit_latency, 0, kLongestLink);
  require("cycles_per_flit", params.cycles_per_flit, 1, kSlowestLink);
  for (const Problem& problem : problems_of_options(params.router)) {
    problems.push_back(fmt::format("{}: {}", problem.key, problem.what));
  }
  if (params.router.options.any() && params.cores != &flit_cores(params.router.options)) {
    problems.push_back(key_of_option(params.router.options) +
                       ": these cores have no options; take flit_cores(options)");
  }
  return problems;
}

// True if channels differ in speed where routers store packets: the time to store a packet must be
// the same at all inputs.
bool has_unequal_links(const Topology& topology, const NetworkParams& params) {
  return params.unit() == BufferUnit::kPacket && has_widths_of_its_own(topology);
}

/// The work of every router, with its nodes, at equal load of all channels: a flit takes half as
/// much again to leave its source and to arrive as to pass a router.
std::vector<std::uint64_t> work_of(const Topology& topology) {
  std::vector<std::uint64_t> work;
  for (const RouterId router : topology.routers()) work.push_back(2 * topology.input_count(router));
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    work[index(topology.attachment(NodeId{n}).injection.router)] += 3 * topology.node_ports();
  }
  return work;
}

}  // namespace

unsigned FabricPlan::partition_count(const Topology& topology, const NetworkParams& params) {
  if (params.admission) return 1;
  const std::size_t most =
      std::min<std::size_t>(topology.router_count(), PacketStore::kMaxPartitions);
  return static_cast<unsigned>(std::clamp<std::size_t>(params.threads, 1, most));
}

std::vector<std::uint32_t> FabricPlan::partitions_of(const Topology& topology,
                                                     const NetworkParams& params) {
  const std::size_t count = partition_count(topology, params);
  const std::vector<std::uint64_t> work = work_of(topology);
  const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t{0});
  std::vector<std::uint32_t> partitions;
  std::uint64_t before = 0;
  for (std::size_t r = 0; r < work.size(); ++r) {
    // No partition is left out, and each of the last ones gets a router.
    const std::size_t least = count - std::min(count, work.size() - r);
    const std::size_t most = r == 0 ? 0 : partitions.back() + 1;
    const std::size_t fair = std::min(before * count / all, most);
    partitions.push_back(static_cast<std::uint32_t>(std::max(fair, least)));
    before += work[r];
  }
  return partitions;
}

std::vector<std::string> FabricPlan::problems_of(const Topology& topology, const Routing& routing,
                                                 const NetworkParams& params) {
  std::vector<std::string> problems = out_of_range(params);
  if (!problems.empty()) return problems;
  const auto add_if = [&](bool wrong, const char* problem) {
    if (wrong) problems.emplace_back(problem);
  };
  const RouterCores& cores = *params.cores;
  const bool combines = routing.reductions() != 0;
  const bool has_nodes = topology.node_count() != 0;
  const VcSet known = vc_range(0, params.router.virtual_channels);
  if (!fits(topology, params.router))
    problems.push_back("no router core is wide enough for " + topology.name());
  if (!has_nodes) {
    problems.push_back(topology.name() + " has no nodes");
  } else if ((routing.injection_vcs(NodeId{0}, NodeId{0}) & ~known) != 0) {
    problems.push_back(fmt::format("the routing was made for more than {} virtual channels",
                                   params.router.virtual_channels));
  }
  add_if(routing.adaptive() && !cores.adaptive(), kNoChoice);
  add_if(has_unequal_links(topology, params),
         "routers that keep packets need links of the same cycles_per_flit");
  add_if(params.router.whole_packet_credit &&
             buffer_depths(topology, params.router).first < params.router.buffer_depth,
         "virtual cut-through needs buffers of at least buffer_depth behind all channels");
  add_if(routing.multicast() && !cores.take(OutputMode::kBranches), kNoCopies);
  add_if(combines && !cores.take(OutputMode::kCombinations), kNoCombinations);
  add_if(combines && params.combine == nullptr,
         "combine: routers combine packets, and nothing says what with payloads");
  const std::string classes = problem_of_classes(routing, params);
  if (!classes.empty()) problems.push_back(classes);
  return problems;
}

namespace {

/// The same as FabricPlan::wheel_rows(), with `longest` as the largest latency in the topology.
std::uint32_t rows_for(std::uint32_t longest, std::uint32_t cycles, const NetworkParams& params) {
  longest = std::max({longest, params.link_latency, kNodeLinkLatency});
  longest = std::max(
      {longest + params.router.pipeline.departure(), params.credit_latency + 1, kInjectionLatency});
  return std::uint32_t{1} << detail::log2_ceil(longest + cycles);
}

// The constants below are in bytes, for the memory estimates.
constexpr std::uint64_t kProgram = 12 << 20;  // The libraries and the tables of a partition.
constexpr std::uint64_t kModule = 600;        // An SC_MODULE with its name.

/// The bytes of a router's state and channel outputs, for a number of event wheel rows and mask
/// words.
std::uint64_t router_bytes(const NetworkParams& params, OutputMode mode, std::uint64_t inputs,
                           std::uint64_t outputs, std::uint64_t rows, unsigned words) {
  const std::uint64_t row = 2 * sizeof(std::uint64_t) * words;
  return params.cores->storage_bytes(mode, params.router, static_cast<unsigned>(inputs),
                                     static_cast<unsigned>(outputs)) +
         outputs * sizeof(FlitOutput) + inputs * sizeof(CreditReturn) + rows * row +
         sizeof(RouterNode) + sizeof(void*);
}

/// The bytes of a port of a node.
std::uint64_t node_bytes(const NetworkParams& params, std::uint64_t rows) {
  return sizeof(NodeInterface) + sizeof(SourceQueue) + rows * (sizeof(Flit) + 16) +
         params.router.virtual_channels * (sizeof(OutputVc) + sizeof(NodeVc));
}

}  // namespace

std::uint32_t FabricPlan::cycles_at_once(const NetworkParams& params) {
  const bool observed = params.lockstep || params.admission != nullptr || params.shuffle_seed != 0;
  const std::uint32_t departure = params.router.pipeline.departure();
  // Credits take at least two cycles.
  const std::uint32_t shortest = std::min(departure + kNodeLinkLatency, kInjectionLatency);
  return observed || shortest < 2 ? 1 : 2;
}

std::uint32_t FabricPlan::window(const Topology& topology, const NetworkParams& params) {
  if (partition_count(topology, params) == 1) return cycles_at_once(params);
  if (params.lockstep || params.combine != nullptr) return 1;
  const std::vector<std::uint32_t> partitions = partitions_of(topology, params);
  std::uint32_t least = kLongestWindow;
  const auto cross = [&](RouterId from, RouterId to, std::uint32_t latency) {
    if (partitions[index(from)] == partitions[index(to)]) return;
    const std::uint32_t credit = params.credit_latency != 0 ? params.credit_latency : latency;
    least = std::min({least, params.router.pipeline.departure() + latency, credit + 1});
  };
  for (const Channel& channel : topology.channels()) {
    cross(channel.from.router, channel.to.router, channel_behind(channel, params).latency);
  }
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    for (std::size_t port = 0; port < topology.node_ports(); ++port) {
      const Attachment& at = topology.attachment(NodeId{n}, port);
      cross(at.injection.router, at.ejection.router, kNodeLinkLatency);
    }
  }
  return least;
}

std::uint32_t FabricPlan::wheel_rows(const Topology& topology, const NetworkParams& params,
                                     std::uint32_t cycles) {
  return rows_for(largest_of<std::uint32_t>(topology.channels(), &Channel::latency), cycles,
                  params);
}

std::uint64_t FabricPlan::memory_estimate(const Topology& topology, const NetworkParams& params,
                                          OutputMode mode) {
  const std::uint64_t rows = wheel_rows(topology, params, window(topology, params));
  const unsigned words = core_words(topology, params.router);
  NetworkParams deepest = params;
  deepest.router.buffer_depth = buffer_depths(topology, params.router).second;
  std::uint64_t bytes = kProgram;
  const bool modular = has_modules(params);
  std::uint64_t modules = modular ? topology.router_count() + topology.node_count() : 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    const std::uint64_t inputs = topology.input_count(RouterId{r});
    const std::uint64_t outputs = topology.output_count(RouterId{r});
    bytes += router_bytes(deepest, mode, inputs, outputs, rows, words);
    if (modular && params.full_hierarchy) modules += inputs + 1;
  }
  if (modular && params.full_hierarchy) modules += topology.channels().size();
  return bytes + modules * kModule +
         topology.node_count() * topology.node_ports() * node_bytes(params, rows);
}

std::uint64_t FabricPlan::least_memory(const TopologySize& size, const NetworkParams& params) {
  const std::uint64_t rows = rows_for(0, cycles_at_once(params), params);
  const std::uint64_t module = has_modules(params) ? kModule : 0;
  return kProgram +
         size.routers *
             (module + router_bytes(params, OutputMode::kOne, size.ports, size.ports, rows, 1)) +
         size.nodes * (module + node_bytes(params, rows));
}

}  // namespace flitcast
