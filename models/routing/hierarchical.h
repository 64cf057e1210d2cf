// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/routing.h"
#include "topology/hierarchy.h"

namespace flitcast {

/// Routing across dies: a routing of the dies' topology chooses the next die, and a routing of the
/// network within a die leads to the boundary router, or to the destination. Packets to other dies
/// draw one of the planes at their source.
///
/// Within a die, virtual channels are divided into classes: class 0 for packets that are injected
/// in the die, and a class for each pair of a port from another die and a virtual channel of the
/// routing between dies. So packets within a die wait only for channels to which the routing
/// between dies lets packets from that port turn: the network is free of deadlock if both routings
/// are.
class Hierarchical : public Routing {
 public:
  /// A routing and the number of virtual channels that it was made for.
  struct Part {
    std::unique_ptr<const Routing> routing;
    std::size_t virtual_channels = 1;
  };

  /// The number of classes within a die if the routing between dies has `channels_between` virtual
  /// channels.
  static std::size_t classes(const Hierarchy& dies, std::size_t channels_between) {
    return 1 + dies.ports() * channels_between;
  }

  /// @param dies    Must outlive the routing.
  /// @param within  For one die, with the virtual channels of a class; deterministic.
  /// @param between  For the topology of dies; deterministic.
  /// @param virtual_channels  At least classes() * within.virtual_channels.
  Hierarchical(const Hierarchy& dies, Part within, Part between, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override {
    return vc_range(0, within_.virtual_channels);
  }
  std::size_t tie_dimensions() const override {
    return std::max(within_.routing->tie_dimensions(), between_.routing->tie_dimensions());
  }
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return dies_.die(source) == dies_.die(destination) ? 1 : most_choices();
  }
  std::uint32_t most_choices() const override { return static_cast<std::uint32_t>(dies_.planes()); }

 private:
  /// The input by which a packet entered its current die.
  struct Arrival {
    std::size_t port = 0;     ///< From another die; ports() if injected in this die.
    std::size_t channel = 0;  ///< The virtual channel of the routing between dies.
  };

  Arrival arrival_of(const RouteRequest& request) const;
  Route over_dies(const RouteRequest& request, const Arrival& arrival) const;
  Route within_die(RouteRequest request, const Arrival& arrival, NodeId destination) const;
  /// Translates VCs of the routing between dies to VCs of the channels between dies, which may have
  /// more.
  VcSet between_dies(VcSet vcs) const;

  const Hierarchy& dies_;
  const Part within_;
  const Part between_;
  const std::size_t virtual_channels_;
  std::vector<Attachment> homes_;  // Per router of a die, its first node if it has one.
  std::vector<NodeId> nodes_;      // Per router of a die, the number of that node.
};

}  // namespace flitcast
