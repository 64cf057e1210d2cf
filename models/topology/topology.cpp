// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.h"

#include <algorithm>
#include <stdexcept>

namespace flitcast {

std::size_t bounded_product(const std::vector<std::size_t>& sizes) {
  std::size_t product = 1;
  for (const std::size_t size : sizes) {
    if (size == 0) return 0;
    if (product > kMaxRouters / size) return kMaxRouters + 1;
    product *= size;
  }
  return product;
}

std::uint64_t memory_estimate(const TopologySize& size) {
  return size.routers * sizeof(PortCounts) + size.nodes * sizeof(Attachment) +
         size.channels * sizeof(Channel);
}

void require_buildable(std::size_t routers, std::size_t ports) {
  if (routers == 0) throw std::invalid_argument("a topology has at least one router");
  if (routers > kMaxRouters) throw std::invalid_argument("more routers than kMaxRouters");
  if (ports > kMaxPorts) throw std::invalid_argument("more ports per router than kMaxPorts");
}

void Topology::widen_nodes(std::size_t ports) {
  if (ports == 0) throw std::invalid_argument("a node has at least one port");
  std::vector<Attachment> wide;
  for (const Attachment& first : attachments_) {
    wide.push_back(first);
    for (std::size_t port = 1; port < ports; ++port) {
      const auto input = ports_[index(first.injection.router)].inputs++;
      const auto output = ports_[index(first.ejection.router)].outputs++;
      wide.push_back({{first.injection.router, to_id<PortId>(input)},
                      {first.ejection.router, to_id<PortId>(output)}});
    }
  }
  std::uint32_t widest = 0;
  for (const auto& [inputs, outputs] : ports_) widest = std::max({widest, inputs, outputs});
  require_buildable(router_count(), widest);
  attachments_ = std::move(wide);
  node_ports_ = ports;
}

}  // namespace flitcast
