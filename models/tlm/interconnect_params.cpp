// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect_params.h"

#include <fmt/format.h>

#include <stdexcept>

#include "network/fabric/fabric.h"

namespace flitcast::tlm {
namespace {

void append_misplaced(const std::vector<NodeId>& nodes, const char* side, std::size_t node_count,
                      std::vector<std::string>& problems) {
  if (nodes.empty()) {
    problems.push_back(fmt::format("there is no {}; place at least one at a node", side));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (index(nodes[i]) < node_count) continue;
    problems.push_back(fmt::format("{} {} is at node {}; nodes are 0 to {}", side, i,
                                   index(nodes[i]), node_count - 1));
  }
}

/// Longest packet of a burst; 0 if bursts have any length.
std::uint32_t longest_packet(const InterconnectParams& params) {
  const unsigned bytes = params.limits.burst_bytes;
  return bytes == 0 ? 0 : params.format.flits(bytes);
}

void append_lengths(const InterconnectParams& params, const NetworkParams& network,
                    std::vector<std::string>& problems) {
  if (params.format.flit_bytes == 0) {
    problems.emplace_back("flits have no bytes; give them at least one");
    return;
  }
  const std::uint32_t longest = longest_packet(params);
  const bool whole = network.router.whole_packet_credit;
  const std::uint32_t space = whole ? network.router.buffer_depth : kMaxPacketLength;
  if ((longest == 0 && whole) || longest > space) {
    problems.push_back(
        fmt::format("a burst of {} bytes is a packet of {} flits, and the routers take {}; lower "
                    "burst_bytes or use wider flits or deeper buffers",
                    params.limits.burst_bytes, longest, space));
  }
}

}  // namespace

std::vector<std::string> problems_of(const InterconnectParams& params, const Topology& topology,
                                     const Routing& routing, const NetworkParams& network) {
  std::vector<std::string> problems = FabricPlan::problems_of(topology, routing, network);
  if (routing.message_classes() != Exchange::kClasses) {
    problems.push_back(
        fmt::format("the routing has {} message classes; requests and responses are "
                    "two, as MessageClasses makes them of a routing",
                    routing.message_classes()));
  }
  append_misplaced(params.placement.initiators, "initiator", topology.node_count(), problems);
  append_misplaced(params.placement.targets, "target", topology.node_count(), problems);
  append_lengths(params, network, problems);
  if (params.limits.outstanding == 0) {
    problems.emplace_back("an initiator may have no transaction outstanding; allow at least one");
  }
  try {
    const AddressMap map(params.windows, params.placement.targets.size());
  } catch (const std::invalid_argument& error) {
    problems.emplace_back(error.what());
  }
  return problems;
}

}  // namespace flitcast::tlm
