// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A topology and a routing that is free of deadlock on it.
struct RoutedNetwork {
  std::unique_ptr<Topology> topology;
  std::unique_ptr<Routing> routing;
};

/// Makes it for a number of virtual channels, at least 2.
using RoutedNetworkMaker = std::function<RoutedNetwork(unsigned virtual_channels)>;

/// One small network of each family; the last has links of 1 to 9 cycles and two nodes at a router.
std::vector<RoutedNetworkMaker> small_networks();

RoutedNetwork mesh_network(const std::vector<std::size_t>& sizes, unsigned virtual_channels);

/// A mesh with a message class for each of these ranges of virtual channels.
RoutedNetwork mesh_of_classes(const std::vector<std::size_t>& sizes,
                              const std::vector<VcRange>& classes);

/// Cycles from the creation of a packet to the arrival of its tail when nothing else is in flight
/// and buffers cover the credit loop.
std::uint64_t zero_load_latency(const RoutedNetwork& network, const NetworkParams& params,
                                NodeId source, NodeId destination, std::uint32_t length);

/// Routers on the way.
std::size_t routers_between(const RoutedNetwork& network, NodeId source, NodeId destination);

}  // namespace flitcast
