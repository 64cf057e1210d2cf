// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/forwarding/router_broadcast.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Broadcast along the spanning binomial tree of the n-cube, by the routers: what comes in across
/// dimension i goes on across all dimensions above i, what the node injects across all. The header
/// is not looked at.
///
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast",
/// Hypercube, where nodes forward.
class BinomialMulticast : public RouterBroadcast {
 public:
  /// Throws std::invalid_argument as RouterBroadcast does.
  BinomialMulticast(const Hypercube& cube, std::size_t virtual_channels)
      : RouterBroadcast(cube.local(), virtual_channels) {}

 private:
  void pass_on(const RouteRequest& request, Branches& branches) const override {
    const bool at_source = request.input == local_;
    for (std::size_t d = at_source ? 0 : index(request.input) + 1U; d < index(local_); ++d) {
      branches.add({PortId{static_cast<std::uint16_t>(d)}, all_, 0});
    }
  }
};

}  // namespace flitcast
