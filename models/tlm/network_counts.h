// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/figures.h"
#include "network/network.h"
#include "network/network_params.h"

namespace flitcast::tlm {

/// What the network of an interconnect has carried until some time.
struct NetworkCounts {
  double cycles = 0;          ///< Whole periods.
  std::uint64_t packets = 0;  ///< Requests and responses that have arrived.
  std::uint64_t hops = 0;     ///< Routers that they have crossed.
  std::uint64_t flit_hops = 0;
  std::vector<std::uint64_t> flits{};  ///< By channel of the topology.

  NetworkCounts operator-(const NetworkCounts& earlier) const;
};

/// Adds the figures of a network to a result, with a list `links` of the channels between routers.
/// @param counts  Those of the interval that the figures are of.
void write_network_figures(const NetworkCounts& counts, const Topology& topology,
                           const NetworkParams& params, ordered_json& result);

}  // namespace flitcast::tlm
