// SPDX-License-Identifier: Apache-2.0
#include "network/audit.h"

#include <fmt/format.h>

#include <string>

#include "router/invariant.h"

namespace flitcast {

namespace {

void require_equal(std::uint64_t left, std::uint64_t right, const std::string& account) {
  if (left == right) return;
  throw InvariantError(fmt::format("{}: {} on one side, {} on the other", account, left, right));
}

bool foreign(const Inspection& network, RouterId router) {
  return network.fabric().router_node(router).foreign;
}

void audit_packets(const Inspection& network) {
  std::uint64_t records = 0;
  std::uint64_t arrived = 0;
  for (const auto& region : network.fabric().regions()) {
    records += region->packets().live();
    arrived += region->pending_returns();
  }
  const Totals totals = network.fabric().totals();
  require_equal(totals.packets_created, totals.packets_delivered + records - arrived,
                "packets created = delivered + in flight");
}

/// Flits that have yet to leave the node's source queue.
std::uint64_t waiting_flits(const Inspection& network, NodeId node) {
  const NodeInterface& interface = network.fabric().node_interface(node);
  PacketStore& packets = network.fabric().region_of(node).packets();
  std::uint64_t flits = 0;
  for (PacketSlot slot = interface.queue_front; slot != PacketStore::kNone;
       slot = packets.next(slot)) {
    const bool leaving = slot == interface.queue_front && interface.remaining != 0;
    flits += leaving ? interface.remaining : packets.packet(slot).length;
  }
  return flits;
}

std::uint64_t flits_in_network(const Inspection& network) {
  const Fabric& fabric = network.fabric();
  std::uint64_t flits = 0;
  for (std::uint32_t r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = *fabric.router_node(RouterId{r}).state;
    for (unsigned i = 0; i < state.vc_index(state.input_ports, 0); ++i) {
      flits += state.inputs[i].count + network.flits_under_way(RouterId{r}, i);
    }
  }
  for (std::uint32_t n = 0; n < fabric.topology().node_count(); ++n) {
    for (unsigned vc = 0; vc < fabric.params().router.virtual_channels; ++vc) {
      flits += network.flits_under_way(NodeId{n}, vc);
    }
  }
  return flits;
}

void audit_flits(const Inspection& network) {
  const Fabric& fabric = network.fabric();
  std::uint64_t waiting = 0;
  for (std::uint32_t n = 0; n < fabric.topology().node_count(); ++n) {
    waiting += waiting_flits(network, NodeId{n});
  }
  const Totals totals = fabric.totals();
  require_equal(totals.flits_created, totals.flits_injected + waiting,
                "flits created = injected + waiting at their sources");
  for (std::uint32_t r = 0; r < fabric.topology().router_count(); ++r) {
    if (foreign(network, RouterId{r})) return;
  }
  require_equal(totals.flits_injected, totals.flits_ejected + flits_in_network(network),
                "flits injected = ejected + in the network");
}

unsigned occupancy_and_under_way(const Inspection& network, Endpoint input, unsigned vc) {
  const RouterState& state = *network.fabric().router_node(input.router).state;
  const unsigned i = state.vc_index(index(input.port), vc);
  return state.inputs[i].count + network.flits_under_way(input.router, i);
}

unsigned credits_and_under_way(const Inspection& network, Endpoint output, unsigned vc) {
  const RouterState& state = *network.fabric().router_node(output.router).state;
  const unsigned j = state.vc_index(index(output.port), vc);
  return state.outputs[j].credits + network.credits_under_way(output.router, j);
}

void audit_channel(const Inspection& network, const Channel& channel, unsigned vc) {
  if (foreign(network, channel.from.router) || foreign(network, channel.to.router)) return;
  require_equal(
      credits_and_under_way(network, channel.from, vc) +
          occupancy_and_under_way(network, channel.to, vc),
      network.fabric().params().router.buffer_depth,
      fmt::format("credits + occupancy = depth from router {} port {} to router {}, VC {}",
                  index(channel.from.router), index(channel.from.port), index(channel.to.router),
                  vc));
}

void audit_node(const Inspection& network, NodeId node, unsigned vc) {
  const Fabric& fabric = network.fabric();
  const Attachment& attachment = fabric.topology().attachment(node);
  const unsigned depth = fabric.params().router.buffer_depth;
  if (!foreign(network, attachment.injection.router)) {
    require_equal(fabric.node_interface(node).vcs[vc].credits +
                      network.credits_under_way(node, vc) +
                      occupancy_and_under_way(network, attachment.injection, vc),
                  depth,
                  fmt::format("credits + occupancy = depth at the injection of node {}, VC {}",
                              index(node), vc));
  }
  if (!foreign(network, attachment.ejection.router)) {
    require_equal(
        credits_and_under_way(network, attachment.ejection, vc) + network.flits_under_way(node, vc),
        depth,
        fmt::format("credits + occupancy = depth at the ejection of node {}, VC {}", index(node),
                    vc));
  }
}

}  // namespace

void audit(const Inspection& network) {
  audit_packets(network);
  audit_flits(network);
  const Topology& topology = network.fabric().topology();
  for (unsigned vc = 0; vc < network.fabric().params().router.virtual_channels; ++vc) {
    for (const Channel& channel : topology.channels()) audit_channel(network, channel, vc);
    for (std::uint32_t n = 0; n < topology.node_count(); ++n) audit_node(network, NodeId{n}, vc);
  }
}

}  // namespace flitcast
