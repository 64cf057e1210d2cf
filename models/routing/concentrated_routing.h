// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "routing/routing.h"
#include "topology/concentrated.h"

namespace flitcast {

/// Applies a routing of a core to the topology that is concentrated from it: a packet goes to the
/// router of its node, and leaves by the node's own port. Deadlock-free if the core's routing is,
/// since the links have the same dependencies.
class ConcentratedRouting : public Routing {
 public:
  /// @param routing Made for topology.core(), which must outlive it; `topology` need not.
  ConcentratedRouting(const Concentrated& topology, std::unique_ptr<const Routing> routing);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return routing_->reads_arrival(); }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_->injection_vcs(core_node(source), core_node(destination));
  }
  std::size_t tie_dimensions() const override { return routing_->tie_dimensions(); }

  bool adaptive() const override { return routing_->adaptive(); }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  OutputSelection selection() const override { return routing_->selection(); }

  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return routing_->choices(core_node(source), core_node(destination));
  }
  std::uint32_t most_choices() const override { return routing_->most_choices(); }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return routing_->choice(core_node(source), core_node(destination), number);
  }

 private:
  /// The node of the core at the same router.
  NodeId core_node(NodeId node) const { return homes_[index(node)].node; }
  RouteRequest in_core(RouteRequest request) const;
  PortId output(PortId core_output, NodeId destination) const {
    return core_output == local_ ? homes_[index(destination)].port : core_output;
  }

  struct Home {
    NodeId node{};  ///< The node of the core at the same router.
    PortId port{};  ///< The output port to the node.
  };

  std::unique_ptr<const Routing> routing_;
  PortId local_;             // The local output of the core.
  std::vector<Home> homes_;  // Per node.
};

}  // namespace flitcast
