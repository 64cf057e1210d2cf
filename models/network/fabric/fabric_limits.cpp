// SPDX-License-Identifier: Apache-2.0
// What a fabric refuses to be built of; the rest of Fabric is in fabric.cpp.
#include <fmt/format.h>

#include "network/fabric/fabric.h"
#include "network/kinds/router_options.h"

namespace flitcast {

namespace {

constexpr std::uint32_t kSlowestLink = 1024;  // As in experiments.
constexpr std::uint32_t kDeepestBuffer = 65535;

/// Collects a sentence for each value out of its range.
class Ranges {
 public:
  void require(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    if (value >= least && value <= most) return;
    problems.push_back(fmt::format("{}: {} is not from {} to {}", name, value, least, most));
  }

  std::vector<std::string> problems;
};

std::vector<std::string> out_of_range(const NetworkParams& params) {
  Ranges ranges;
  const Pipeline& pipeline = params.router.pipeline;
  ranges.require("virtual_channels", params.router.virtual_channels, 1, kMaxVirtualChannels);
  ranges.require("buffer_depth", params.router.buffer_depth, 1, kDeepestBuffer);
  ranges.require("shortest_packet", params.router.shortest_packet, 1, kMaxPacketLength);
  ranges.require("pipeline.route", pipeline.route, 0, Pipeline::kLongest);
  ranges.require("pipeline.vc_allocation", pipeline.vc_allocation, 0, Pipeline::kLongest);
  ranges.require("pipeline.switch_allocation", pipeline.switch_allocation, 1, Pipeline::kLongest);
  ranges.require("pipeline.traversal", pipeline.traversal, 0, Pipeline::kLongest);
  ranges.require("combine", params.router.combine, 0, RouterParams::kLongestCombine);
  ranges.require("link_latency", params.link_latency, 1, kSlowestLink);
  ranges.require("credit_latency", params.credit_latency, 1, kSlowestLink);
  ranges.require("cycles_per_flit", params.cycles_per_flit, 1, kSlowestLink);
  for (const OptionProblem& problem : problems_of_options(params.router)) {
    ranges.problems.push_back(fmt::format("{}: {}", problem.key, problem.what));
  }
  if (params.router.options.any() && params.cores != &flit_cores(params.router.options)) {
    ranges.problems.push_back(key_of_option(params.router.options) +
                              ": these cores have no options; take flit_cores(options)");
  }
  return ranges.problems;
}

// They count the time in which a packet is stored, the same at all of their inputs.
std::string problem_of_widths(const Topology& topology, const NetworkParams& params) {
  if (!params.keeps_packets() || !has_widths_of_its_own(topology)) return "";
  return "routers that keep packets need links of the same cycles_per_flit";
}

}  // namespace

std::vector<std::string> Fabric::problems_of(const Topology& topology, const Routing& routing,
                                             const NetworkParams& params) {
  std::vector<std::string> problems = out_of_range(params);
  if (!problems.empty()) return problems;
  if (!fits(topology, params.router)) {
    problems.push_back("no router core is wide enough for " + topology.name());
  }
  const VcSet vcs = vc_range(0, params.router.virtual_channels);
  if (topology.node_count() == 0) {
    problems.push_back(topology.name() + " has no nodes");
  } else if ((routing.injection_vcs(NodeId{0}, NodeId{0}) & ~vcs) != 0) {
    problems.push_back(fmt::format("the routing was made for more than {} virtual channels",
                                   params.router.virtual_channels));
  }
  if (routing.adaptive() && !params.cores->adaptive()) problems.emplace_back(kNoChoice);
  if (const std::string widths = problem_of_widths(topology, params); !widths.empty()) {
    problems.push_back(widths);
  }
  if (routing.multicast() && !params.cores->take(OutputMode::kBranches)) {
    problems.emplace_back(kNoCopies);
  }
  if (routing.reductions() != 0 && !params.cores->take(OutputMode::kCombinations)) {
    problems.emplace_back(kNoCombinations);
  }
  if (routing.reductions() != 0 && params.combine == nullptr) {
    problems.emplace_back("combine: routers combine packets, and nothing says what with payloads");
  }
  const std::string classes = problem_of_classes(routing, params);
  if (!classes.empty()) problems.push_back(classes);
  return problems;
}

}  // namespace flitcast
