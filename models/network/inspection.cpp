// SPDX-License-Identifier: Apache-2.0
#include "network/inspection.h"

namespace flitcast {

Inspection::Inspection(const Topology& topology, const NetworkParams& params)
    : topology_(topology), params_(params) {
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    from_.emplace_back(topology.output_count(RouterId{r}), kNone);
    to_.emplace_back(topology.input_count(RouterId{r}), kNone);
  }
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Channel& channel = topology.channels()[c];
    from_[index(channel.from.router)][index(channel.from.port)] = c;
    to_[index(channel.to.router)][index(channel.to.port)] = c;
  }
}

}  // namespace flitcast
