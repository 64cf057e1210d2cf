// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "network/check/inspection.h"
#include "router/invariant.h"

namespace flitcast {

namespace {

void check_equal(std::uint64_t left, std::uint64_t right, const std::string& account) {
  if (left == right) return;
  throw InvariantError(fmt::format("{}: {} on one side, {} on the other", account, left, right));
}

void audit_packets(const Inspection& network) {
  const Totals totals = network.totals();
  check_equal(totals.receivers, totals.receivers_retired() + network.deliveries_due(),
              "packets created, once for each receiver = delivered + lost by resets + combined "
              "with others + in flight");
}

/// True if credits and occupancies count packets instead of flits.
bool holds_packets(const Inspection& network) {
  return network.params().unit() == BufferUnit::kPacket;
}

std::uint64_t flits_in_network(const Inspection& network) {
  std::uint64_t flits = 0;
  for (std::uint32_t r = 0; r < network.topology().router_count(); ++r) {
    const RouterState& state = network.state(RouterId{r});
    flits += state.stored_flits;
    for (unsigned i = 0; i < state.vc_index(state.input_ports, 0); ++i) {
      flits += network.flits_in_flight(RouterId{r}, i);
      if (!holds_packets(network)) flits += state.inputs[i].count;
    }
  }
  network.for_each_node_port([&](NodeId node, std::size_t port) {
    for (unsigned vc = 0; vc < network.params().router.virtual_channels; ++vc) {
      flits += network.flits_in_flight(node, port, vc);
    }
  });
  return flits;
}

void audit_flits(const Inspection& network) {
  std::uint64_t waiting = 0;
  network.for_each_node_port(
      [&](NodeId node, std::size_t port) { waiting += network.waiting_flits(node, port); });
  const Totals totals = network.totals() - network.totals_at_reset();
  check_equal(totals.flits_created, totals.flits_injected + waiting,
              "flits created = injected + waiting at their sources");
  for (std::uint32_t r = 0; r < network.topology().router_count(); ++r) {
    if (network.external(RouterId{r})) return;
  }
  const std::uint64_t inside = flits_in_network(network);
  check_equal(totals.flits_injected + network.sum(&RouterState::copies),
              totals.flits_ejected + network.sum(&RouterState::combined) + inside,
              "flits injected + copied = ejected + combined with others + in the network");
  if (waiting + inside == 0) {
    check_equal(network.deliveries_due(), 0, "deliveries still due = 0 when no flit is left");
  }
}

unsigned occupancy_and_in_flight(const Inspection& network, Endpoint input, unsigned vc) {
  const RouterState& state = network.state(input.router);
  const unsigned i = state.vc_index(index(input.port), vc);
  return state.inputs[i].count + network.in_flight(input.router, i, holds_packets(network));
}

unsigned credits_and_in_flight(const Inspection& network, Endpoint output, unsigned vc) {
  const RouterState& state = network.state(output.router);
  const unsigned j = state.vc_index(index(output.port), vc);
  return state.outputs[j].credits + network.credits_in_flight(output.router, j);
}

void audit_channel(const Inspection& network, const Channel& channel, unsigned vc) {
  if (network.external(channel.from.router) || network.external(channel.to.router)) return;
  check_equal(credits_and_in_flight(network, channel.from, vc) +
                  occupancy_and_in_flight(network, channel.to, vc),
              channel_behind(channel, network.params()).buffer_depth,
              fmt::format("credits + occupancy = depth from router {} port {} to router {}, VC {}",
                          index(channel.from.router), index(channel.from.port),
                          index(channel.to.router), vc));
}

/// The number of flits, or of packets, on an ejection channel that the node has not accepted in
/// full.
unsigned arriving(const Inspection& network, NodeId node, std::size_t port, unsigned vc) {
  if (!holds_packets(network)) return network.flits_in_flight(node, port, vc);
  return network.in_flight(node, port, vc, true) + (network.receives(node, port, vc) ? 1 : 0);
}

void audit_node(const Inspection& network, NodeId node, std::size_t port, unsigned vc) {
  const Attachment& attachment = network.topology().attachment(node, port);
  const unsigned depth = network.params().router.buffer_depth;
  if (!network.external(attachment.injection.router)) {
    check_equal(network.injection_credits(node, port, vc) +
                    network.credits_in_flight(node, port, vc) +
                    occupancy_and_in_flight(network, attachment.injection, vc),
                depth,
                fmt::format("credits + occupancy = depth at the injection of node {}, VC {}",
                            index(node), vc));
  }
  if (!network.external(attachment.ejection.router)) {
    check_equal(
        credits_and_in_flight(network, attachment.ejection, vc) + arriving(network, node, port, vc),
        depth,
        fmt::format("credits + occupancy = depth at the ejection of node {}, VC {}", index(node),
                    vc));
  }
}

}  // namespace

void audit(const Inspection& network) {
  audit_packets(network);
  audit_flits(network);
  const Topology& topology = network.topology();
  for (unsigned vc = 0; vc < network.params().router.virtual_channels; ++vc) {
    for (const Channel& channel : topology.channels()) audit_channel(network, channel, vc);
    network.for_each_node_port(
        [&](NodeId node, std::size_t port) { audit_node(network, node, port, vc); });
  }
}

}  // namespace flitcast
