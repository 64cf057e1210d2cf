// SPDX-License-Identifier: Apache-2.0
#include "network/flight_times.h"

#include <algorithm>

#include "network/network.h"

namespace flitcast {

FlightTimes::FlightTimes(const Topology& topology, const NetworkParams& params)
    : topology_(topology),
      ends_(static_cast<std::uint64_t>(interface_cycles(params) + params.cycles_per_flit) - 1 +
            params.startup),
      per_hop_(hop_cycles(params) - params.link_latency),
      per_flit_(params.cycles_per_flit),
      adjacency_(topology),
      hops_(topology.node_count()) {
  std::uint64_t least_latency = Network::kNoLimit;
  for (const Channel& channel : topology.channels()) {
    least_latency = std::min<std::uint64_t>(least_latency, channel_behind(channel, params).latency);
  }
  if (!topology.channels().empty()) per_hop_ += least_latency;
}

std::uint32_t FlightTimes::hops(NodeId from, NodeId to) {
  std::vector<std::uint32_t>& hops = hops_[index(from)];
  if (hops.empty()) hops = hops_from(from);
  return hops[index(to)];
}

std::vector<std::uint32_t> FlightTimes::hops_from(NodeId source) const {
  std::vector<std::uint32_t> hops(hops_.size(), kUnreached);
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    const RouterId first = topology_.attachment(source, port).injection.router;
    const auto steps = distances_to_routers(first, topology_, adjacency_);
    for (std::size_t at = 0; at < topology_.attachments().size(); ++at) {
      std::uint32_t& least = hops[at / topology_.node_ports()];
      least = std::min(least, steps[index(topology_.attachments()[at].ejection.router)]);
    }
  }
  return hops;
}

}  // namespace flitcast
