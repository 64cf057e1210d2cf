// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "network/circuit/circuit_network.h"
#include "stats/router_events.h"

namespace flitcast {

/// The sender of the flits that reach an input of a router: an output of another router, or a port
/// of a node; both are absent if no channel ends at the input.
struct Sender {
  std::optional<Endpoint> output{};
  std::optional<NodeId> node{};
  std::size_t port = 0;  ///< Port of the node.

  /// The flits sent so far.
  std::uint64_t flits(const Network& network) const {
    if (node) return network.flits_injected(*node, port);
    return output ? network.flits_from(*output) : 0;
  }
};

/// The senders of all inputs, indexed by router and input.
std::vector<std::vector<Sender>> senders_of(const Topology& topology);

/// Observes one router after every cycle and adds its events.
class RouterMonitor {
 public:
  virtual ~RouterMonitor() = default;
  virtual void observe(RouterEvents& events) = 0;
};

/// One monitor per crossbar. Network and format must outlive the monitors.
std::vector<std::unique_ptr<RouterMonitor>> monitor_crossbars(const CircuitNetwork& network,
                                                              const FlitFormat& format);

}  // namespace flitcast
