// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/sequences.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

/// Bounds with a smaller difference count as equal.
constexpr double kRounding = 1e-9;

/// The value without the noise of rounded sums: 1 for 1.0000000000000018.
double without_noise(double value) {
  const std::string text = fmt::format("{:.13g}", value);
  return text.size() < 10 ? std::stod(text) : value;
}

/// Adds a value to the sums of all cuts that the pair of routers crosses; cut i separates routers 0
/// to i from the rest. `sums` holds differences from one cut to the next: first for the direction
/// to the rest, then for the direction back.
void add_crossing(std::vector<double>& sums, RouterId from, RouterId to, double value) {
  const std::size_t first = from < to ? 0 : sums.size() / 2;
  sums[first + std::min(index(from), index(to))] += value;
  sums[first + std::max(index(from), index(to))] -= value;
}

// The load of the channels of nodes is known in advance even if routers or a control choose paths
// at run time. The ports of a node share the load: the most loaded port carries at least the mean,
// which is returned.
// Adds the load that crosses each cut to `across`.
std::vector<double> loads_at_nodes(const Topology& topology, const OfferedLoad& traffic,
                                   std::vector<double>& across) {
  constexpr std::size_t kMostNodes = 8192;
  if (topology.node_count() > kMostNodes) {
    throw UnknownLoads("the network is too large for the analysis");
  }
  std::vector<double> sent(topology.node_count(), 0);
  std::vector<double> received(topology.node_count(), 0);
  for (const NodeId source : topology.nodes()) {
    const RouterId from = topology.attachment(source).injection.router;
    for (const NodeId node : topology.nodes()) {
      const double share = traffic.shares(source, node).value_or(0);
      sent[index(source)] += share;
      received[index(node)] += share;
      add_crossing(across, from, topology.attachment(node).ejection.router, share);
    }
  }
  // Loads count injections, which are 1 per node on average, also for packets with several
  // receivers.
  const double mean = sum_of<double>(sent) / static_cast<double>(topology.node_count());
  const ChannelNumbering channels(topology);
  const std::size_t ports = topology.node_ports();
  std::vector<double> loads(channels.count(), 0);
  for (const NodeId node : topology.nodes()) {
    for (std::size_t port = 0; port < ports; ++port) {
      loads[channels.injection(node, port)] =
          without_noise(sent[index(node)] / mean) / static_cast<double>(ports);
      loads[channels.ejection(node, port)] = received[index(node)] / static_cast<double>(ports);
    }
  }
  return loads;
}

/// The most flits per cycle of a channel between routers. A router that stores packets sends the
/// next one after the step of td + m tm cycles (StoreForwardCore); of several lengths the longest
/// counts.
double link_rate(const Channel& channel, const NetworkPlan& network, const OfferedLoad& traffic) {
  const OutputChannel link = channel_behind(channel, network.params);
  if (network.can.unit != BufferUnit::kPacket) return 1.0 / link.cycles_per_flit;
  const double length =
      *std::max_element(traffic.packet_lengths.begin(), traffic.packet_lengths.end());
  const std::uint64_t td = hop_cycles(network.params) - network.params.link_latency + link.latency;
  return length / (static_cast<double>(td) + length * link.cycles_per_flit);
}

std::string name_of_part(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("router {} -> the rest", first)
                       : fmt::format("routers {} to {} -> the rest", first, last);
}

/// Lowers the bound to that of the cuts, which holds for every routing: the channels from routers 0
/// to i to the others, and those back, for every i.
void set_bound_of_cuts(Capacity& capacity, const NetworkPlan& network, const OfferedLoad& traffic,
                       const std::vector<double>& load) {
  const std::size_t routers = network.topology->router_count();
  std::vector<double> rate(2 * routers);  // By cut: flits per cycle that fit.
  std::vector<double> count(2 * routers);
  for (const Channel& channel : network.topology->channels()) {
    add_crossing(rate, channel.from.router, channel.to.router,
                 link_rate(channel, network, traffic));
    add_crossing(count, channel.from.router, channel.to.router, 1);
  }
  double across = 0, fits = 0, channels = 0;
  for (std::size_t cut = 0; cut < load.size(); ++cut) {
    if (cut == routers) across = fits = channels = 0;
    across += load[cut];
    fits += rate[cut];
    channels += count[cut];
    if (across <= kRounding || fits >= capacity.bound * across * (1 - kRounding)) continue;
    capacity.bound = fits / across;
    const std::size_t last = cut % routers;
    capacity.cut = cut < routers ? name_of_part(0, last) : name_of_part(last + 1, routers - 1);
    capacity.channel_load = across;
    capacity.channels = static_cast<std::size_t>(channels);
  }
}

/// Finds the channels that set the bound, once the loads are known.
void set_bound(Capacity& capacity, const NetworkPlan& network, const OfferedLoad& traffic) {
  const ChannelNumbering channels(*network.topology);
  const double injection =
      injection_limit(network, traffic) / static_cast<double>(network.topology->node_ports());
  const auto rate = [&](std::size_t c) {
    if (channels.is_injection(c)) return injection;
    if (channels.is_ejection(c)) return 1.0 / network.params.cycles_per_flit;
    return link_rate(network.topology->channels()[c], network, traffic);
  };
  for (std::size_t c = 0; c < capacity.loads.size(); ++c) {
    if (capacity.loads[c] <= 0) continue;
    const double bound = without_noise(rate(c) / capacity.loads[c]);
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
  const bool routed = network.can.has_fixed_paths;
  try {
    const bool adaptive = routed && network.routing->adaptive();
    std::vector<double> across(2 * network.topology->router_count());
    capacity.loads = routed && !adaptive
                         ? channel_loads(*network.topology, *network.routing, traffic.shares)
                         : loads_at_nodes(*network.topology, traffic, across);
    set_bound(capacity, network, traffic);
    if (adaptive) set_bound_of_cuts(capacity, network, traffic, across);
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

std::uint64_t storing_cycles(const NetworkPlan& network) {
  return network.can.unit == BufferUnit::kPacket ? hop_cycles(network.params) : 0;
}

PacketRates rates_by_time(const NetworkPlan& network, const OfferedLoad& traffic,
                          const std::vector<double>& loads) {
  std::map<std::uint32_t, double> shares;  // Packets on channels, by their cycles per flit.
  shares[network.params.cycles_per_flit] = 1;
  const std::vector<Channel>& channels = network.topology->channels();
  for (std::size_t c = 0; c < channels.size() && c < loads.size(); ++c) {
    const std::uint32_t cycles = channel_behind(channels[c], network.params).cycles_per_flit;
    if (cycles <= network.params.cycles_per_flit || loads[c] <= 0) continue;
    shares[cycles] += loads[c] / static_cast<double>(network.topology->node_count());
  }
  const auto storing = static_cast<std::uint32_t>(storing_cycles(network));
  PacketRates rates;
  for (const auto& [cycles, share] : shares) {
    for (const auto& [length, rate] : traffic.packet_rates) {
      rates[length * cycles + storing] += rate * share;
    }
  }
  return rates;
}

std::string Capacity::name(const Topology& topology) const {
  return cut.empty() ? ChannelNumbering(topology).name(channel) : cut;
}

std::string to_text(const Capacity& capacity, const Topology& topology) {
  if (!capacity.known()) return "not known: " + capacity.unknown;
  const std::string more = capacity.channels > 1 && capacity.cut.empty()
                               ? fmt::format(" and {} more", capacity.channels - 1)
                               : "";
  return fmt::format("at most {:.4f} flits per node and cycle, set by {}{}", capacity.bound,
                     capacity.name(topology), more);
}

const FigureTable<CapacityOf> kCapacityFigures{
    {"capacity.flits_per_node_cycle", "flits per node and cycle",
     "Bound on what every node can send, by analysis: more saturates the network.",
     [](const auto& c) { return c.capacity.bound; }},
    {"capacity.channel", "(text)",
     "The channel that sets the bound, the first if there are several; for adaptive routing maybe "
     "all channels between two parts of the network.",
     [](const auto& c) { return c.capacity.name(c.topology); }},
    {"capacity.channel_load", "flits",
     "Flits that this channel, or all channels between the two parts, carries for each that every "
     "node sends.",
     [](const auto& c) { return c.capacity.channel_load; }},
    {"capacity.channels", "channels",
     "Channels that set the same bound, or that lie between the two parts.",
     [](const auto& c) { return c.capacity.channels; }},
};

}  // namespace flitcast
