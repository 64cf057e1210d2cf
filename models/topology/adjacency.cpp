// SPDX-License-Identifier: Apache-2.0
#include "topology/adjacency.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/sequences.h"

namespace flitcast {

Adjacency::Adjacency(const Topology& topology) {
  first_ = starts_of(topology.routers(), [&](RouterId r) { return topology.output_count(r); });
  channels_.assign(first_.back(), kNone);
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Endpoint from = topology.channels()[c].from;
    if (index(from.port) >= topology.output_count(from.router)) {
      throw std::invalid_argument("a channel leaves by an output that its router does not have");
    }
    std::uint32_t& place = channels_[first_[index(from.router)] + index(from.port)];
    if (place != kNone) throw std::invalid_argument("two channels leave by the same output");
    place = c;
  }
}

namespace {

const Channel& channel_between(const Topology& topology, RouterId from, RouterId to) {
  const auto* const found = first_where(topology.channels(), [&](const Channel& channel) {
    return channel.from.router == from && channel.to.router == to;
  });
  if (found != nullptr) return *found;
  throw std::invalid_argument("there is no channel from router " + std::to_string(index(from)) +
                              " to router " + std::to_string(index(to)) + " in " + topology.name());
}

}  // namespace

PortId output_to(const Topology& topology, RouterId router, RouterId to) {
  return channel_between(topology, router, to).from.port;
}

PortId input_from(const Topology& topology, RouterId router, RouterId from) {
  return channel_between(topology, from, router).to.port;
}

std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency) {
  return count_steps({index(start)}, topology.router_count(), [&](std::uint32_t r, auto&& lead) {
    for (const PortId port : topology.outputs(RouterId{r})) {
      const std::uint32_t channel = adjacency.leaving(RouterId{r}, port);
      if (channel != Adjacency::kNone) lead(index(topology.channels()[channel].to.router));
    }
  });
}

namespace {

double ratio(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

std::size_t degree(const Topology& topology) {
  std::vector<std::size_t> leaving(topology.router_count(), 0);
  for (const Channel& channel : topology.channels()) ++leaving[index(channel.from.router)];
  return *std::max_element(leaving.begin(), leaving.end());
}

TopologyMetrics measure(const Topology& topology) {
  const Adjacency adjacency(topology);
  std::vector<std::vector<NodeId>> sources(topology.router_count());
  for (const NodeId node : topology.nodes()) {
    sources[index(topology.attachment(node).injection.router)].push_back(node);
  }
  TopologyMetrics metrics;
  // An exact sum; only the final division rounds.
  std::uint64_t between_nodes = 0;
  for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
    if (sources[router].empty()) continue;
    const auto distance = distances_to_routers(RouterId{router}, topology, adjacency);
    for (const NodeId node : topology.nodes()) {
      const std::uint32_t hops = distance[index(topology.attachment(node).ejection.router)];
      if (hops == kUnreached) throw std::invalid_argument("a node cannot reach another");
      for (const NodeId source : sources[router]) {
        if (source == node) continue;
        between_nodes += hops;
        metrics.diameter = std::max<std::size_t>(metrics.diameter, hops);
      }
    }
  }
  const std::uint64_t nodes = topology.node_count();
  metrics.degree = degree(topology);
  metrics.mean_distance = ratio(between_nodes, nodes * (nodes - 1));
  metrics.bisection_channels = topology.bisection_channels();
  return metrics;
}

std::size_t most_router_ports(const Topology& topology) {
  std::vector<std::size_t> ports =
      mapped(topology.routers(), [&](const RouterId r) { return topology.output_count(r); });
  for (const NodeId n : topology.nodes()) {
    ports[index(topology.attachment(n).ejection.router)] -= topology.node_ports();
  }
  return std::max<std::size_t>(*std::max_element(ports.begin(), ports.end()), 1);
}

}  // namespace flitcast
