// SPDX-License-Identifier: Apache-2.0
// How large a fabric is; the rest of Fabric is in fabric.cpp.
#include <algorithm>

#include "network/fabric/fabric.h"
#include "router/bump_allocator.h"

namespace flitcast {

unsigned core_words(const Topology& topology, const RouterParams& params) {
  std::size_t ports = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    ports =
        std::max({ports, topology.input_count(RouterId{r}), topology.output_count(RouterId{r})});
  }
  const std::size_t bits = ports << detail::log2_ceil(params.virtual_channels);
  for (const unsigned words : kCoreWidths) {
    const std::size_t most_ports = words == 1 ? 64 : 128;
    if (bits <= std::size_t{64} * words && ports <= most_ports) return words;
  }
  return 0;
}

namespace {

/// A power of two above every latency of a network whose channels take so long at most, counted
/// from the first of the cycles that are run at once.
std::uint32_t rows_for(std::uint32_t longest, std::uint32_t stride, const NetworkParams& params) {
  longest = std::max({longest, params.link_latency, kNodeLinkLatency});
  longest = std::max(
      {longest + params.router.pipeline.departure(), params.credit_latency + 1, kInjectionLatency});
  return std::uint32_t{1} << detail::log2_ceil(longest + stride);
}

std::uint32_t rows_for(const Topology& topology, std::uint32_t stride,
                       const NetworkParams& params) {
  std::uint32_t longest = 0;
  for (const Channel& channel : topology.channels()) longest = std::max(longest, channel.latency);
  return rows_for(longest, stride, params);
}

// Of the memory estimates.
constexpr std::uint64_t kProgram = 12 << 20;  // The libraries and the tables of a partition.
constexpr std::uint64_t kModule = 600;        // An SC_MODULE with its name.

/// Of a router's state and its ends of channels, in a network of so many rows and mask words.
std::uint64_t router_bytes(const NetworkParams& params, OutputMode mode, std::uint64_t inputs,
                           std::uint64_t outputs, std::uint64_t rows, unsigned words) {
  const std::uint64_t row = 2 * sizeof(std::uint64_t) * words;
  return params.cores->storage_bytes(mode, params.router, static_cast<unsigned>(inputs),
                                     static_cast<unsigned>(outputs)) +
         outputs * sizeof(FlitOutput) + inputs * sizeof(CreditReturn) + rows * row +
         sizeof(RouterNode) + sizeof(void*);
}

/// Of a port of a node.
std::uint64_t node_bytes(const NetworkParams& params, std::uint64_t rows) {
  return sizeof(NodeInterface) + sizeof(SourceQueue) + rows * (sizeof(Flit) + 16) +
         params.router.virtual_channels * (sizeof(OutputVc) + sizeof(NodeVc));
}

}  // namespace

std::uint32_t Fabric::cycles_at_once(const NetworkParams& params) {
  const bool looked_at = params.threads > 1 || params.lockstep || params.admission != nullptr ||
                         params.shuffle_seed != 0;
  const std::uint32_t departure = params.router.pipeline.departure();
  const std::uint32_t shortest =
      std::min({departure + kNodeLinkLatency, params.credit_latency + 1, kInjectionLatency});
  return looked_at || shortest < 2 ? 1 : 2;
}

std::uint32_t Fabric::wheel_rows(const Topology& topology, const NetworkParams& params) {
  return rows_for(topology, cycles_at_once(params), params);
}

std::uint64_t Fabric::memory_estimate(const Topology& topology, const NetworkParams& params,
                                      OutputMode mode) {
  const std::uint64_t rows = wheel_rows(topology, params);
  const unsigned words = core_words(topology, params.router);
  std::uint64_t bytes = kProgram;
  const bool modular = has_modules(params);
  std::uint64_t modules = modular ? topology.router_count() + topology.node_count() : 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    const std::uint64_t inputs = topology.input_count(RouterId{r});
    const std::uint64_t outputs = topology.output_count(RouterId{r});
    bytes += router_bytes(params, mode, inputs, outputs, rows, words);
    if (modular && params.full_hierarchy) modules += inputs + 1;
  }
  if (modular && params.full_hierarchy) modules += topology.channels().size();
  return bytes + modules * kModule +
         topology.node_count() * topology.node_ports() * node_bytes(params, rows);
}

std::uint64_t Fabric::least_memory(const TopologySize& size, const NetworkParams& params) {
  const std::uint64_t rows = rows_for(0, cycles_at_once(params), params);
  const std::uint64_t module = has_modules(params) ? kModule : 0;
  return kProgram +
         size.routers *
             (module + router_bytes(params, OutputMode::kOne, size.ports, size.ports, rows, 1)) +
         size.nodes * (module + node_bytes(params, rows));
}

std::uint64_t Fabric::longest_standstill(const Topology& topology, const NetworkParams& params) {
  return 2 * (params.startup + std::uint64_t{rows_for(topology, 1, params)} *
                                   most_cycles_per_flit(topology, params));
}

}  // namespace flitcast
