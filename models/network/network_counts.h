// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/figures.h"
#include "network/network.h"
#include "network/network_params.h"

namespace flitcast {

/// The packets and flits that a network has carried until some time. The difference of two counts
/// is that of the interval between them.
struct NetworkCounts {
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;  ///< Packets that have arrived.
  std::uint64_t hops = 0;     ///< Routers that they have crossed; 0 if unknown.
  std::uint64_t flit_hops = 0;
  std::vector<std::uint64_t> flits{};  ///< By channel of the topology.

  NetworkCounts operator-(const NetworkCounts& earlier) const;
};

/// The counts of a network between two cycles, without hops.
NetworkCounts counts_of(const Network& network, const Topology& topology);

/// Adds the figures of a network to a result, with a list `links` of the channels between routers.
/// @param counts  Those of the interval that the figures are of.
void write_network_figures(const NetworkCounts& counts, const Topology& topology,
                           const NetworkParams& params, ordered_json& result);

}  // namespace flitcast
