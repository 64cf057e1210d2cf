// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "network/networks.h"
#include "routing/message_classes.h"
#include "tlm/interconnect.h"
#include "tlm/players.h"

namespace flitcast::testing {

using Bytes = std::vector<unsigned char>;

inline constexpr std::uint64_t kWindow = 0x1000;

/// Initiators at the first nodes, targets at the last nodes, consecutive windows, with checkers.
inline tlm::InterconnectParams params_for(std::uint32_t initiators, std::uint32_t targets,
                                          std::uint32_t nodes) {
  tlm::InterconnectParams params;
  for (std::uint32_t i = 0; i < initiators; ++i) params.placement.initiators.push_back(NodeId{i});
  for (std::uint32_t t = 0; t < targets; ++t) {
    params.placement.targets.push_back(NodeId{nodes - targets + t});
    params.windows.push_back({t * kWindow, kWindow, t, 0});
  }
  params.check_protocol = true;
  return params;
}

inline NetworkParams network_params() {
  NetworkParams params;
  params.router.virtual_channels = 4;
  return params;
}

/// A mesh for requests and responses, with two virtual channels for each.
inline RoutedNetwork mesh_network(const std::vector<std::size_t>& sizes) {
  RoutedNetwork network = flitcast::mesh_network(sizes, 2);
  network.routing = std::make_unique<MessageClasses>(std::move(network.routing), 2, 4);
  return network;
}

/// The bytes from, from + 1, ...
inline Bytes counting(std::size_t bytes, unsigned from) {
  Bytes data(bytes);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(from));
  return data;
}

/// A row of two nodes with one initiator and one target of 4 KiB, which adds no delay.
struct Pair {
  explicit Pair(const tlm::InterconnectParams& params = params_for(1, 1, 2),
                PhaseStyle style = PhaseStyle::kTwoPhases)
      : net("net", *network.topology, *network.routing, network_params(), params),
        memory("memory", kWindow, style) {
    net.initiator_socket[0].bind(memory.socket);
  }

  const RoutedNetwork network = mesh_network({2});
  tlm::Interconnect<> net;
  Memory memory;
  Payloads payloads;
};

}  // namespace flitcast::testing
