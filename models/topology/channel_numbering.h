// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "topology/topology.h"

namespace flitcast {

/// Numbers all channels of a network: first the links between routers, as in
/// Topology::channels(), then the injection channels, then the ejection channels, both in the order
/// of nodes and their ports.
class ChannelNumbering {
 public:
  /// `topology` must outlive the numbering.
  explicit ChannelNumbering(const Topology& topology) : topology_(topology) {}

  std::size_t count() const { return links() + 2 * node_channels(); }
  /// The number of channels between routers, which have the numbers below it.
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

  /// The node of an injection or ejection channel.
  NodeId node(std::size_t channel) const {
    return to_id<NodeId>(place(channel) / topology_.node_ports());
  }
  /// The port of that node.
  std::size_t node_port(std::size_t channel) const {
    return place(channel) % topology_.node_ports();
  }

  /// The router output from which a link or an ejection channel starts.
  Endpoint begin(std::size_t channel) const;
  /// The router input at which a link or an injection channel ends.
  Endpoint end(std::size_t channel) const;

  /// "43 -> 44" for a link between routers, "node 5 -> 5" for an injection channel and "5 -> node
  /// 5" for an ejection channel; "node 5 port 1 -> 5" if nodes have several ports.
  std::string name(std::size_t channel) const;

 private:
  std::size_t node_channels() const { return topology_.node_count() * topology_.node_ports(); }
  std::size_t place(std::size_t channel) const { return (channel - links()) % node_channels(); }

  const Topology& topology_;
};

}  // namespace flitcast
