// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/traffic_scale.h"

#include <algorithm>

#include "network/network_params.h"

namespace flitcast {

std::uint64_t longest_service(const Model& model) {
  return std::uint64_t{model.workload->longest_packet()} *
         most_cycles_per_flit(model.topology(), model.network.params);
}

namespace {

/// The cycles by which the longest flight of a flit between routers exceeds link.latency.
std::uint64_t flight_beyond_usual(const NetworkPlan& network) {
  const std::uint32_t usual = network.params.link_latency;
  const auto latency = [&](const Channel& channel) {
    return channel_behind(channel, network.params).latency;
  };
  return std::max(usual, largest_of<std::uint32_t>(network.topology->channels(), latency)) - usual;
}

/// The longest period of the traffic, in cycles: of bursts, of packets that are rare by their time,
/// and of the buckets of guaranteed rates, which fill again.
double longest_period(const Model& model, const PacketRates& times) {
  const auto nodes = static_cast<double>(model.topology().node_count());
  double period = rarest_period(times) / nodes;
  if (model.offered) period = std::max(period, model.offered->burst_cycle);
  for (const MessageClass& one : model.network.params.message_classes) {
    if (one.rate > 0) period = std::max(period, one.burst / one.rate);
  }
  return period;
}

}  // namespace

// Where the loads of channels are unknown, the longest service is that of the longest packet on the
// slowest channel. The longest flight is added to it, since rare packets can be late by their
// flight alone.
TrafficScale traffic_scale(const Model& model, const Totals& packets) {
  const NetworkPlan& network = model.network;
  const Capacity capacity = model.capacity.value_or(Capacity{});
  const OfferedLoad offered = model.offered.value_or(OfferedLoad{});
  const auto storing = static_cast<double>(storing_cycles(network));
  const double mean = static_cast<double>(packets.flits_created) /
                      static_cast<double>(std::max<std::uint64_t>(packets.packets_created, 1));
  const double service = std::max({mean * network.params.cycles_per_flit + storing, 1.0,
                                   mean_length_of_flits(rates_by_time(network, offered))});
  const PacketRates times = rates_by_time(network, offered, capacity.loads);
  const bool known = model.capacity && capacity.known();
  const bool all_times = known && !times.empty() && !network.routing->adaptive();
  const double longest =
      all_times ? times.rbegin()->first : static_cast<double>(longest_service(model)) + storing;
  return TrafficScale::of(service, known ? capacity.offered / capacity.bound : 0,
                          longest_period(model, times),
                          longest + static_cast<double>(flight_beyond_usual(network)));
}

}  // namespace flitcast
