// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "topology/topology.h"

namespace flitcast {

/// One number for every channel of a network, so that all of them can stand in one list: first
/// those between routers, as in Topology::channels(), then those that nodes inject by, then those
/// that they receive by, both by node and port.
class ChannelNumbering {
 public:
  /// `topology` must outlive the numbering.
  explicit ChannelNumbering(const Topology& topology) : topology_(topology) {}

  std::size_t count() const { return links() + 2 * node_channels(); }
  /// Channels between routers: the numbers below this.
  std::size_t links() const { return topology_.channels().size(); }

  std::size_t injection(NodeId node, std::size_t port = 0) const {
    return links() + index(node) * topology_.node_ports() + port;
  }
  std::size_t ejection(NodeId node, std::size_t port = 0) const {
    return node_channels() + injection(node, port);
  }

  bool is_injection(std::size_t channel) const {
    return channel >= links() && channel < links() + node_channels();
  }
  bool is_ejection(std::size_t channel) const { return channel >= links() + node_channels(); }

  /// The node and its port at one end of an injection or ejection channel.
  NodeId node(std::size_t channel) const {
    return NodeId{static_cast<std::uint32_t>(place(channel) / topology_.node_ports())};
  }
  std::size_t node_port(std::size_t channel) const {
    return place(channel) % topology_.node_ports();
  }

  /// The output port of a router that a link or an ejection channel starts from.
  Endpoint begin(std::size_t channel) const;
  /// The input port of a router that a link or an injection channel leads to.
  Endpoint end(std::size_t channel) const;

  /// "43 -> 44" between routers, "node 5 -> 5" and "5 -> node 5" from and to a node; where nodes
  /// have several ports "node 5 port 1 -> 5".
  std::string name(std::size_t channel) const;

 private:
  std::size_t node_channels() const { return topology_.node_count() * topology_.node_ports(); }
  std::size_t place(std::size_t channel) const { return (channel - links()) % node_channels(); }

  const Topology& topology_;
};

}  // namespace flitcast
