// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Dies (chiplets) with equal networks inside, joined by channels between their boundary routers.
///
///   router = die * routers of a die + router within the die      nodes likewise
///
/// The routers of a second topology are the dies, and its channels join them: a channel from output
/// p of one die to input q of another leads from the boundary router of p to that of q. With
/// several planes, each of these channels exists once per plane, at boundary routers of the plane.
/// Routers and ports within a die keep their numbers; ports to other dies follow them, in the order
/// of the gates, and are unconnected where a die has no neighbour.
class Hierarchy : public Topology {
 public:
  /// The ports at which a die is joined to others: output and input p of the topology of dies.
  struct Gate {
    RouterId router{};  ///< The boundary router, within its die.
    PortId output{};
    PortId input{};
  };

  /// @param within   The network of every die.
  /// @param between  The topology of dies: one node at each router, in their order.
  /// @param at       Boundary routers: plane j of port p is at at[j * ports + p], where ports is
  ///                 ports_of_dies(between). A single one is the boundary router of all ports.
  /// Throws std::invalid_argument for other numbers of boundary routers, those that do not exist or
  /// have no node, and beyond kMaxRouters and kMaxPorts.
  Hierarchy(std::shared_ptr<const Topology> within, std::shared_ptr<const Topology> between,
            const std::vector<std::size_t>& at);

  /// The ports of a die that lead to other dies, connected or not.
  static std::size_t ports_of_dies(const Topology& between);

  const Topology& within() const { return *within_; }
  const Topology& between() const { return *between_; }
  std::size_t planes() const { return gates_.size() / ports_; }
  std::size_t ports() const { return ports_; }
  const Gate& gate(std::size_t plane, PortId port) const {
    return gates_[plane * ports_ + index(port)];
  }
  /// The port of the topology of dies to which an input of a router leads; ports() for inputs from
  /// routers of the same die and from nodes.
  std::size_t port_behind(RouterId router, PortId input) const;

  std::size_t die(RouterId router) const { return index(router) / within_->router_count(); }
  std::size_t die(NodeId node) const { return index(node) / within_->node_count(); }
  RouterId in_die(RouterId router) const {
    return to_id<RouterId>(index(router) % within_->router_count());
  }
  NodeId in_die(NodeId node) const { return to_id<NodeId>(index(node) % within_->node_count()); }

  /// The dimensions of a die, then those of the dies.
  std::vector<std::size_t> node_grid() const override;
  /// "die_to_die" for the channels between dies; within a die, the classes of its topology.
  std::string channel_class(const Channel& channel) const override;
  /// Each die is drawn as if it were alone, at its position in the drawing of the dies.
  Layout layout() const override;

 private:
  void add_die(std::size_t die);
  Endpoint at_die(std::size_t die, Endpoint end) const {
    return {to_id<RouterId>(die * within_->router_count() + index(end.router)), end.port};
  }

  std::shared_ptr<const Topology> within_;
  std::shared_ptr<const Topology> between_;
  std::size_t ports_;
  std::vector<Gate> gates_;  // Per plane and port.
};

}  // namespace flitcast
