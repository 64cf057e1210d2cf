// SPDX-License-Identifier: Apache-2.0
#include "network/network_params.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"

namespace flitcast {

std::pair<unsigned, unsigned> buffer_depths(const Topology& topology, const RouterParams& router) {
  std::pair<unsigned, unsigned> depths{router.buffer_depth, router.buffer_depth};
  for (const Channel& channel : topology.channels()) {
    if (channel.buffer_depth == 0) continue;
    depths = {std::min(depths.first, channel.buffer_depth),
              std::max(depths.second, channel.buffer_depth)};
  }
  return depths;
}

RouterParams router_params(const NetworkParams& params, const Topology& topology,
                           const Routing& routing) {
  RouterParams router = params.router;
  router.deepest_buffer = buffer_depths(topology, router).second;
  router.flit_time = params.cycles_per_flit;
  router.multicast = routing.multicast();
  router.adaptive = routing.adaptive();
  router.selection = routing.selection();
  router.classes = params.message_classes;
  return router;
}

OutputMode output_mode_of(const Routing& routing) {
  if (routing.reductions() != 0) return OutputMode::kCombinations;
  if (routing.multicast()) return OutputMode::kBranches;
  return routing.adaptive() ? OutputMode::kAlternatives : OutputMode::kOne;
}

namespace {

/// Cycles that a head spends in an idle router, without the channel behind it.
std::uint64_t router_cycles(const RouterParams& router) {
  const Pipeline& pipeline = router.pipeline;
  const unsigned spared = router.options.speculation ? 1 : 0;
  return pipeline.route + pipeline.vc_allocation - spared + pipeline.departure();
}

}  // namespace

// A message is injected, crosses the last router and is ejected, and the receiver acts one cycle
// later. The tail of L flits follows the head after (L - 1) tm cycles, one tm less than the
// message's L tm.
std::int64_t interface_cycles(const NetworkParams& params) {
  const auto cycles = static_cast<std::int64_t>(kInjectionLatency + router_cycles(params.router) +
                                                kNodeLinkLatency + 1);
  return cycles - static_cast<std::int64_t>(params.cycles_per_flit);
}

std::uint64_t hop_cycles(const NetworkParams& params) {
  return router_cycles(params.router) + params.link_latency;
}

std::uint64_t credit_round_trip(const NetworkParams& params, std::uint64_t latency) {
  const std::uint64_t credits = params.credit_latency != 0 ? params.credit_latency : latency;
  return params.router.pipeline.departure() + latency + credits + 1;
}

OutputChannel channel_behind(const Channel& channel, const NetworkParams& params) {
  return {cycles_per_flit(channel, params),
          channel.latency != 0 ? channel.latency : params.link_latency, false,
          channel.buffer_depth != 0 ? channel.buffer_depth : params.router.buffer_depth};
}

std::uint32_t cycles_per_flit(const Channel& channel, const NetworkParams& params) {
  return channel.cycles_per_flit != 0 ? channel.cycles_per_flit : params.cycles_per_flit;
}

bool has_widths_of_its_own(const Topology& topology) {
  return any_of(topology.channels(),
                [](const Channel& channel) { return channel.cycles_per_flit != 0; });
}

bool channels_alike(const Topology& topology) {
  return !has_widths_of_its_own(topology) &&
         all_of(topology.channels(), [](const Channel& channel) {
           return channel.latency == 0 && channel.buffer_depth == 0;
         });
}

std::uint32_t most_cycles_per_flit(const Topology& topology, const NetworkParams& params) {
  return std::max(params.cycles_per_flit,
                  largest_of<std::uint32_t>(topology.channels(), [&](const Channel& channel) {
                    return cycles_per_flit(channel, params);
                  }));
}

// Channels to nodes are as slow as the others. Otherwise flits that arrive tm cycles apart would
// catch up with a head that waits for its route, and times would differ from the cost model.
OutputChannel channel_to_node(const NetworkParams& params) {
  return {params.cycles_per_flit, kNodeLinkLatency, true, params.router.buffer_depth};
}

std::vector<Problem> problems_of_options(const RouterParams& params) {
  const RouterOptions& options = params.options;
  std::vector<Problem> problems;
  if (options.iterations < 1 || options.iterations > kMostIterations) {
    problems.push_back({{},
                        "iterations",
                        fmt::format("{} is out of range", options.iterations),
                        fmt::format("use 1 to {}", kMostIterations)});
  }
  if (options.input_speedup < 1 || options.input_speedup > params.virtual_channels) {
    problems.push_back({{},
                        "input_speedup",
                        fmt::format("{} inputs of the switch per port and {} virtual channels, of "
                                    "which each uses one",
                                    options.input_speedup, params.virtual_channels),
                        "use at most as many as router.virtual_channels"});
  }
  if (options.speculation && params.pipeline.vc_allocation != 1) {
    problems.push_back({{},
                        "speculation",
                        fmt::format("allocation of virtual channels takes {} cycles, and it runs "
                                    "beside that of the switch for one",
                                    params.pipeline.vc_allocation),
                        "set router.pipeline.vc_allocation to 1, or leave speculation out"});
  }
  const bool orders = options.arbitration != ArbitrationKind::kRoundRobin;
  if (orders && (options.allocator == AllocatorKind::kWavefront || options.speculation)) {
    problems.push_back({{},
                        "arbitration",
                        fmt::format("{} has no order of its own for packets, as {} asks for",
                                    options.speculation ? "a speculative switch allocator"
                                                        : "a wavefront allocator",
                                    traits_of(options.arbitration).name),
                        "use round_robin, or allocator: input_first or output_first without "
                        "speculation"});
  }
  return problems;
}

std::string key_of_option(const RouterOptions& options) {
  if (options.allocator != AllocatorKind::kInputFirst) return "allocator";
  if (options.iterations > 1) return "iterations";
  if (options.speculation) return "speculation";
  if (options.input_speedup > 1) return "input_speedup";
  return options.vc_reuse != VcReuse::kTail ? "vc_reuse" : "arbitration";
}

}  // namespace flitcast
