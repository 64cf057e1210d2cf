// SPDX-License-Identifier: Apache-2.0
#include "network/flight_times.h"

#include <algorithm>

#include "network/network.h"
#include "topology/adjacency.h"

namespace flitcast {

FlightTimes::FlightTimes(const Topology& topology, const NetworkParams& params)
    : topology_(topology),
      ends_(static_cast<std::uint64_t>(interface_cycles(params) + params.cycles_per_flit) - 1 +
            params.startup),
      per_hop_(hop_cycles(params) - params.link_latency),
      per_flit_(params.cycles_per_flit),
      next_(topology.router_count()),
      hops_(topology.node_count()) {
  std::uint64_t least_latency = Network::kNoLimit;
  for (const Channel& channel : topology.channels()) {
    next_[index(channel.from.router)].push_back(index(channel.to.router));
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
  std::vector<std::uint32_t> starts;
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    starts.push_back(index(topology_.attachment(source, port).injection.router));
  }
  const auto steps = count_steps(starts, next_.size(), [&](std::uint32_t router, auto&& lead) {
    for (const std::uint32_t next : next_[router]) lead(next);
  });
  std::vector<std::uint32_t> hops(hops_.size(), kUnreached);
  for (std::uint32_t n = 0; n < hops.size(); ++n) {
    for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
      const RouterId last = topology_.attachment(NodeId{n}, port).ejection.router;
      hops[n] = std::min(hops[n], steps[index(last)]);
    }
  }
  return hops;
}

}  // namespace flitcast
