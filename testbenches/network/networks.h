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

/// A topology with a deadlock-free routing.
struct RoutedNetwork {
  std::unique_ptr<Topology> topology;
  std::unique_ptr<Routing> routing;
};

/// Makes a network for a number of virtual channels, at least 2.
using RoutedNetworkMaker = std::function<RoutedNetwork(unsigned virtual_channels)>;

/// Returns makers of one small network of each family; the last has links of 1 to 9 cycles and two
/// nodes at one router.
std::vector<RoutedNetworkMaker> small_networks();

RoutedNetwork mesh_network(const std::vector<std::size_t>& sizes, unsigned virtual_channels);

/// Returns a mesh with a message class for each of these ranges of virtual channels.
RoutedNetwork mesh_of_classes(const std::vector<std::size_t>& sizes,
                              const std::vector<VcRange>& classes);

/// Returns the cycles from the creation of a packet to the arrival of its tail when no other packet
/// is in flight and buffers cover the credit loop.
std::uint64_t zero_load_latency(const RoutedNetwork& network, const NetworkParams& params,
                                NodeId source, NodeId destination, std::uint32_t length);

/// Returns the number of routers on the path.
std::size_t routers_between(const RoutedNetwork& network, NodeId source, NodeId destination);

}  // namespace flitcast
