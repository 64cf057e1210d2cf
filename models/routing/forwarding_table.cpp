// SPDX-License-Identifier: Apache-2.0
#include "routing/forwarding_table.h"

#include <stdexcept>

#include "topology/adjacency.h"

namespace flitcast {
namespace {

constexpr std::uint16_t kNone = 0xffff;
constexpr std::uint16_t kSeveral = 0xfffe;

// Per router: the output port to its only node, kNone or kSeveral.
std::vector<std::uint16_t> node_ports(const Topology& topology) {
  std::vector<std::uint16_t> ports(topology.router_count(), kNone);
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    std::uint16_t& port = ports[index(ejection.router)];
    port = port == kNone ? index(ejection.port) : kSeveral;
  }
  return ports;
}

void check_hops(const ForwardingTable::Entry& entry, const Topology& topology,
                const Adjacency& adjacency, RouterId router) {
  std::vector<bool> used(topology.output_count(router));
  for (const ForwardingTable::Hop& hop : entry.hops) {
    const std::size_t output = index(hop.output);
    if (output >= used.size() || adjacency.leaving(router, hop.output) == Adjacency::kNone) {
      throw std::invalid_argument("a hop leads to no other router");
    }
    if (used[output]) throw std::invalid_argument("two hops of an entry have the same output");
    used[output] = true;
  }
}

}  // namespace

ForwardingTable::ForwardingTable(const Topology& topology, const Rule& rule,
                                 std::size_t virtual_channels)
    : OnAllVcs(valid_vc_range(0, virtual_channels)) {
  const Adjacency adjacency(topology);
  const std::vector<std::uint16_t> nodes = node_ports(topology);
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    const RouterId router{r};
    first_row_.push_back(static_cast<std::uint32_t>(rows_.size()));
    for (std::size_t input = 0; input < topology.input_count(router); ++input) {
      const Entry entry = rule(router, to_id<PortId>(input));
      check_hops(entry, topology, adjacency, router);
      if (entry.to_node && nodes[r] >= kSeveral) {
        throw std::invalid_argument("to_node is set at a router without a node or with several");
      }
      rows_.push_back({static_cast<std::uint32_t>(hops_.size()),
                       static_cast<std::uint16_t>(entry.hops.size()),
                       entry.to_node ? nodes[r] : kNoNode});
      hops_.insert(hops_.end(), entry.hops.begin(), entry.hops.end());
    }
  }
}

void ForwardingTable::branches(const RouteRequest& request, Branches& branches) const {
  const Row& row = rows_[first_row_[index(request.router)] + index(request.input)];
  if (row.node != kNoNode) branches.add({PortId{row.node}, all_, 0});
  for (std::size_t w = row.first_hop; w < row.first_hop + row.hops; ++w) {
    const Hop& hop = hops_[w];
    if (hop.first_reach > 0) {
      branches.add({hop.output, all_, hop.first_reach});
    } else if (request.route_field > 1) {
      branches.add({hop.output, all_, static_cast<std::uint16_t>(request.route_field - 1)});
    }
  }
}

}  // namespace flitcast
