// SPDX-License-Identifier: Apache-2.0
#include "network/network_counts.h"

namespace flitcast {

NetworkCounts NetworkCounts::operator-(const NetworkCounts& earlier) const {
  NetworkCounts since{cycles - earlier.cycles, packets - earlier.packets, hops - earlier.hops,
                      flit_hops - earlier.flit_hops, flits};
  for (std::size_t c = 0; c < earlier.flits.size(); ++c) since.flits[c] -= earlier.flits[c];
  return since;
}

NetworkCounts counts_of(const Network& network, const Topology& topology) {
  return {index(network.now()), network.totals().packets_delivered, 0, network.flit_hops(),
          mapped(topology.channels(),
                 [&](const Channel& channel) { return network.flits_from(channel.from); })};
}

void write_network_figures(const NetworkCounts& counts, const Topology& topology,
                           const NetworkParams& params, ordered_json& result) {
  result["cycles"] = counts.cycles;
  result["packets"] = counts.packets;
  if (counts.hops > 0 && counts.packets > 0) {
    result["hops"] = static_cast<double>(counts.hops) / static_cast<double>(counts.packets);
  }
  result["flit_hops"] = counts.flit_hops;
  ordered_json& links = result["links"] = ordered_json::array();
  for (std::size_t c = 0; c < counts.flits.size(); ++c) {
    const Channel& channel = topology.channels()[c];
    const std::uint64_t busy = counts.flits[c] * cycles_per_flit(channel, params);
    links.push_back(
        {{"from", index(channel.from.router)},
         {"to", index(channel.to.router)},
         {"flits", counts.flits[c]},
         {"load",
          counts.cycles > 0 ? static_cast<double>(busy) / static_cast<double>(counts.cycles) : 0}});
  }
}

}  // namespace flitcast
