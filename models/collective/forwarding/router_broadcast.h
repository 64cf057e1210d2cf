// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/ids.h"
#include "routing/routing.h"

namespace flitcast {

/// One-to-all broadcast that the routers carry out: a tree of which every router knows its own
/// branches, from the input port that the packet comes in by and from its header.
///
/// The source injects one packet for all; every other node is served by its router, which passes
/// the copies on at the same time. The source's own node gets none, so on a network of one node the
/// packet has no branch, which the router core takes for a fault. All VCs are allowed everywhere:
/// the packets of one source meet nowhere. Those of several sources may wait for each other in a
/// circle (see MulticastCore); store-and-forward routers then need room for all.
///
/// For topologies where node n sits at router n and the ports of nodes come after all others (grids
/// and hypercubes, widened or not). O(branches) time, no allocation.
class RouterBroadcast : public Routing {
 public:
  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override;

  /// Throws std::logic_error: the answer is a set.
  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 protected:
  /// @param local  The first port of every router's node.
  /// Throws std::invalid_argument unless there are 1 to kMaxVirtualChannels virtual channels.
  RouterBroadcast(PortId local, std::size_t virtual_channels);

  /// The copies to other routers.
  /// @param request  Its input is `local` at the source, whatever port the node injected by.
  virtual void pass_on(const RouteRequest& request, Branches& branches) const = 0;

  const PortId local_;
  const VcSet all_;
};

}  // namespace flitcast
