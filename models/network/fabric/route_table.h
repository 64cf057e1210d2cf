// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/flit.h"
#include "base/ids.h"
#include "routing/routing.h"

namespace flitcast {

/// The outputs that a routing has named for the routers of a partition, a byte for each router and
/// destination, so that later packets need not ask it. Empty unless the output depends on these two
/// alone; for large networks, too, whose table would displace routers from the cache.
class RouteTable {
 public:
  RouteTable(const Routing& routing, RouterId first_router, std::size_t routers, std::size_t nodes)
      : first_router_(first_router), nodes_(nodes) {
    const bool fixed = !routing.reads_arrival() && !routing.adaptive() && !routing.multicast() &&
                       routing.tie_dimensions() == 0 && routing.most_choices() == 1;
    if (fixed && routers * nodes <= kMostOutputs) outputs_.assign(routers * nodes, kUnknown);
  }

  /// The route from a router to a node; without VCs if it is unknown.
  Route find(RouterId router, NodeId destination) const {
    const std::uint8_t output = outputs_.empty() ? kUnknown : outputs_[place(router, destination)];
    return {PortId{output}, output == kUnknown ? 0 : vcs_};
  }
  /// Keeps and returns the answer of the routing, unless it has other VCs than those before.
  [[gnu::noinline]] Route keep(RouterId router, NodeId destination, const Route& route) {
    if (vcs_ == 0) vcs_ = route.vcs;
    if (!outputs_.empty() && route.vcs == vcs_) {
      outputs_[place(router, destination)] = static_cast<std::uint8_t>(index(route.output));
    }
    return route;
  }

 private:
  static constexpr std::size_t kMostOutputs = std::size_t{1} << 16;
  static constexpr std::uint8_t kUnknown = 0xff;  // No port: routers have at most 128.

  std::size_t place(RouterId router, NodeId destination) const {
    return std::size_t{index(router) - index(first_router_)} * nodes_ + index(destination);
  }

  RouterId first_router_;
  std::size_t nodes_;
  VcSet vcs_ = 0;  // The VCs of all known routes.
  std::vector<std::uint8_t> outputs_;
};

}  // namespace flitcast
