// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "config/wording.h"
#include "topology/topology.h"

namespace flitcast {

/// Numbers all channels of a network: first the links between routers, as in
/// Topology::channels(), then the injection channels, then the ejection channels, both in the order
/// of nodes and their ports.
class ChannelNumbering {
 public:
  /// `topology` must outlive the numbering and not change.
  explicit ChannelNumbering(const Topology& topology)
      : topology_(topology),
        links_(topology.channels().size()),
        node_channels_(topology.node_count() * topology.node_ports()) {}

  std::size_t count() const { return links_ + 2 * node_channels_; }
  /// The number of channels between routers, which have the numbers below it.
  std::size_t links() const { return links_; }

  std::size_t injection(NodeId node, std::size_t port = 0) const {
    return links_ + index(node) * topology_.node_ports() + port;
  }
  std::size_t ejection(NodeId node, std::size_t port = 0) const {
    return node_channels_ + injection(node, port);
  }

  bool is_injection(std::size_t channel) const {
    return channel >= links_ && channel < links_ + node_channels_;
  }
  bool is_ejection(std::size_t channel) const { return channel >= links_ + node_channels_; }

  /// The node of an injection or ejection channel.
  NodeId node(std::size_t channel) const {
    return to_id<NodeId>(place(channel) / topology_.node_ports());
  }
  /// The port of that node.
  std::size_t node_port(std::size_t channel) const {
    return place(channel) % topology_.node_ports();
  }

  /// The router output from which a link or an ejection channel starts.
  Endpoint begin(std::size_t channel) const {
    if (channel < links_) return topology_.channels()[channel].from;
    return topology_.attachments()[place(channel)].ejection;
  }
  /// The router input at which a link or an injection channel ends.
  Endpoint end(std::size_t channel) const {
    if (channel < links_) return topology_.channels()[channel].to;
    return topology_.attachments()[place(channel)].injection;
  }

  /// "43 -> 44" for a link between routers, "node 5 -> 5" for an injection channel and "5 -> node
  /// 5" for an ejection channel; "node 5 port 1 -> 5" if nodes have several ports. Routers go by
  /// their names.
  std::string name(std::size_t channel) const {
    const auto router = [this](Endpoint end) {
      return printable(topology_.router_name(end.router));
    };
    if (channel < links_) return router(begin(channel)) + " -> " + router(end(channel));
    std::string its_node = "node " + std::to_string(index(node(channel)));
    if (topology_.node_ports() > 1) its_node += " port " + std::to_string(node_port(channel));
    return is_injection(channel) ? its_node + " -> " + router(end(channel))
                                 : router(begin(channel)) + " -> " + its_node;
  }

 private:
  std::size_t place(std::size_t channel) const {
    return channel - links_ - (is_ejection(channel) ? node_channels_ : 0);
  }

  const Topology& topology_;
  std::size_t links_;
  std::size_t node_channels_;  // Injection channels, and as many ejection channels.
};

}  // namespace flitcast
