// SPDX-License-Identifier: Apache-2.0
#include "topology/adjacency.h"

#include <stdexcept>

namespace flitcast {

Adjacency::Adjacency(const Topology& topology) {
  std::size_t outputs = 0;
  for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
    first_.push_back(outputs);
    outputs += topology.output_count(RouterId{router});
  }
  channels_.assign(outputs, kNone);
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

}  // namespace flitcast
