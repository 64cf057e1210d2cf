// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.h"

#include <algorithm>
#include <stdexcept>

#include "topology/limits.h"

namespace flitcast {

void Topology::widen_nodes(std::size_t ports) {
  if (ports == 0) throw std::invalid_argument("a node has at least one port");
  std::vector<Attachment> wide;
  for (const Attachment& first : attachments_) {
    wide.push_back(first);
    for (std::size_t port = 1; port < ports; ++port) {
      const auto input = input_counts_[index(first.injection.router)]++;
      const auto output = output_counts_[index(first.ejection.router)]++;
      wide.push_back({{first.injection.router, PortId{static_cast<std::uint16_t>(input)}},
                      {first.ejection.router, PortId{static_cast<std::uint16_t>(output)}}});
    }
  }
  const auto widest = std::max(*std::max_element(input_counts_.begin(), input_counts_.end()),
                               *std::max_element(output_counts_.begin(), output_counts_.end()));
  require_buildable(router_count(), widest);
  attachments_ = std::move(wide);
  node_ports_ = ports;
}

}  // namespace flitcast
