// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/capacity.h"

#include <fmt/format.h>

#include <algorithm>

#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

/// Bounds with a smaller difference count as equal.
constexpr double kRounding = 1e-9;

// The source and destination links are known in advance even if a control finds paths at run time.
std::vector<double> loads_at_nodes(const Topology& topology, const OfferedLoad& traffic) {
  constexpr std::uint32_t kMostNodes = 8192;
  const auto nodes = static_cast<std::uint32_t>(topology.node_count());
  if (nodes > kMostNodes) throw UnknownLoads("the network is too large for the analysis");
  const ChannelNumbering channels(topology);
  std::vector<double> loads(channels.count(), 0);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    loads[channels.injection(NodeId{n})] = 1;
    for (std::uint32_t s = 0; s < nodes; ++s) {
      loads[channels.ejection(NodeId{n})] += traffic.shares(NodeId{s}, NodeId{n}).value_or(0);
    }
  }
  return loads;
}

/// Finds the channels that set the bound, once the loads are known.
void set_bound(Capacity& capacity, const NetworkPlan& network, const OfferedLoad& traffic) {
  const ChannelNumbering channels(*network.topology);
  const double injection =
      injection_limit(network, traffic) / static_cast<double>(network.topology->node_ports());
  const auto rate = [&](std::size_t c) {
    if (channels.is_injection(c)) return injection;
    if (channels.is_ejection(c)) return 1.0 / network.params.cycles_per_flit;
    return 1.0 / cycles_per_flit(network.topology->channels()[c], network.params);
  };
  for (std::size_t c = 0; c < capacity.loads.size(); ++c) {
    if (capacity.loads[c] <= 0) continue;
    const double bound = rate(c) / capacity.loads[c];
    if (capacity.channels == 0 || bound < capacity.bound * (1 - kRounding)) {
      capacity.bound = bound;
      capacity.channel = c;
      capacity.channel_load = capacity.loads[c];
      capacity.channels = 0;
    }
    if (bound <= capacity.bound * (1 + kRounding)) ++capacity.channels;
  }
}

}  // namespace

Capacity capacity_of(const NetworkPlan& network, const OfferedLoad& traffic) {
  Capacity capacity;
  capacity.offered = traffic.load;
  try {
    capacity.loads = network.can.has_fixed_paths
                         ? channel_loads(*network.topology, *network.routing, traffic.shares)
                         : loads_at_nodes(*network.topology, traffic);
    set_bound(capacity, network, traffic);
  } catch (const UnknownLoads& reason) {
    capacity.unknown = reason.what();
  }
  return capacity;
}

double injection_limit(const NetworkPlan& network, const OfferedLoad& traffic) {
  const auto ports = static_cast<double>(network.topology->node_ports());
  double of_a_port = 0;  // A sum, because the start-ups of several classes overlap.
  for (const double length : traffic.packet_lengths) {
    of_a_port += length / (length + network.params.startup);
  }
  return ports * std::min(of_a_port, 1.0);
}

std::string to_text(const Capacity& capacity, const Topology& topology) {
  if (!capacity.known()) return "not known: " + capacity.unknown;
  const std::string more =
      capacity.channels > 1 ? fmt::format(" and {} more", capacity.channels - 1) : "";
  return fmt::format("at most {:.4f} flits per node and cycle, set by {}{}", capacity.bound,
                     ChannelNumbering(topology).name(capacity.channel), more);
}

const FigureTable<CapacityOf> kCapacityFigures{
    {"capacity.flits_per_node_cycle", "flits per node and cycle",
     "Bound on what every node can send, by analysis: more saturates the network.",
     [](const auto& c) { return c.capacity.bound; }},
    {"capacity.channel", "", "The channel that sets the bound, the first if there are several.",
     [](const auto& c) { return ChannelNumbering(c.topology).name(c.capacity.channel); }},
    {"capacity.channel_load", "flits",
     "Flits that this channel carries for each that every node sends.",
     [](const auto& c) { return c.capacity.channel_load; }},
    {"capacity.channels", "channels", "Channels that set the same bound.",
     [](const auto& c) { return c.capacity.channels; }},
};

}  // namespace flitcast
