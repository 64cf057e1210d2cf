// SPDX-License-Identifier: Apache-2.0
#include "network/check/inspection.h"

namespace flitcast {

Inspection::Inspection(const BufferedNetwork& network) : network_(network) {
  const Topology& topology = network.topology();
  std::size_t outputs = 0;
  std::size_t inputs = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    from_.first.push_back(outputs);
    to_.first.push_back(inputs);
    outputs += topology.output_count(RouterId{r});
    inputs += topology.input_count(RouterId{r});
  }
  from_.channels.assign(outputs, kNone);
  to_.channels.assign(inputs, kNone);
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Endpoint from = topology.channels()[c].from;
    const Endpoint to = topology.channels()[c].to;
    from_.channels[from_.first[index(from.router)] + index(from.port)] = c;
    to_.channels[to_.first[index(to.router)] + index(to.port)] = c;
  }
}

}  // namespace flitcast
