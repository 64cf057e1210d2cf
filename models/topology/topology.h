// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The largest number of routers, and of nodes, of a topology.
inline constexpr std::size_t kMaxRouters = std::size_t{1} << 24;

/// The largest number of inputs, and of outputs, of a router, local ports included.
inline constexpr std::size_t kMaxPorts = 128;

/// A lower bound of the size of a topology, known before the topology is made.
struct TopologySize {
  std::size_t routers = 0;
  std::size_t nodes = 0;
  std::size_t channels = 0;
  std::size_t ports = 1;  ///< Inputs, and outputs, of every router.
};

/// The numbers of ports of a router.
struct PortCounts {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
};

/// The memory of a Topology of that size, in bytes.
std::uint64_t memory_estimate(const TopologySize& size);

/// The product of the sizes, or kMaxRouters + 1 if it exceeds kMaxRouters.
std::size_t bounded_product(const std::vector<std::size_t>& sizes);

/// "8x8": sizes in the names of topologies.
std::string to_text(const std::vector<std::size_t>& sizes);

/// Throws std::invalid_argument if a topology exceeds these limits or has no router.
void require_buildable(std::size_t routers, std::size_t ports);

/// A port of a router. Inputs and outputs are numbered separately, each from 0.
struct Endpoint {
  RouterId router{};
  PortId port{};

  friend constexpr bool operator==(Endpoint a, Endpoint b) {
    return a.router == b.router && a.port == b.port;
  }
};

/// A one-way physical channel from an output of one router to an input of another.
struct Channel {
  Endpoint from;              ///< An output port.
  Endpoint to;                ///< An input port.
  std::uint32_t latency = 0;  ///< Latency in cycles; 0: the experiment's link.latency.
  /// Cycles between two flits; 0: the experiment's link.cycles_per_flit.
  std::uint32_t cycles_per_flit = 0;
  /// Slots of each VC of the input that it leads to; 0: the experiment's router.buffer_depth.
  std::uint32_t buffer_depth = 0;
};

/// The router ports at which the packets of one port of a node enter and leave the network. The
/// two routers differ in indirect networks.
struct Attachment {
  Endpoint injection;  ///< An input port.
  Endpoint ejection;   ///< An output port.
};

/// The position of a router in a drawing: x to the right, y downwards, neighbours about 1 apart.
/// Multiples of 1/1000, so that they are equal on every machine.
struct Position {
  double x = 0;
  double y = 0;
};

/// The positions of all routers of a topology in a drawing, by router number.
using Layout = std::vector<Position>;

/// Positions on a circle, the first at the top.
Layout on_circle(std::size_t count);

/// The points of a grid, dimension 0 fastest: even dimensions lead to the right, odd ones down.
/// Each further pair of dimensions repeats the picture of the lower ones, with space between the
/// copies.
Layout in_grid(const std::vector<std::size_t>& sizes);

/// Positions in centred columns from left to right; `column` gives the column of every router. The
/// distance of the columns makes the drawing about as wide as it is high.
Layout in_columns(const std::vector<std::size_t>& column);

/// The same with rows in the place of columns, the first at the bottom.
Layout in_rows(const std::vector<std::size_t>& row);

/// Groups of `members` consecutive routers: each group is a circle, and the groups form a circle.
Layout in_groups(std::size_t groups, std::size_t members);

class Topology;

/// True if node n sits at router n, for all n, so that paths of nodes are paths of routers. There
/// may be further routers.
bool nodes_sit_at_routers(const Topology& topology);

/// True if node n sits at router n and there are no further routers.
bool has_a_node_each(const Topology& topology);

/// A graph of routers, nodes and channels, immutable once built, without any notion of time.
///
/// Each family of topologies derives a class that adds its geometry (sizes, coordinates), which
/// routing algorithms read; the network needs only this class. Ports may be unconnected, as at the
/// border of a mesh. A node has one channel to its router and one from it, unless widen_nodes()
/// gives it more.
class Topology {
 public:
  virtual ~Topology() = default;

  /// The kind and its sizes, such as "mesh 8x8".
  const std::string& name() const { return name_; }

  /// The name that the user gave a router, or its number.
  virtual std::string router_name(RouterId router) const { return std::to_string(index(router)); }

  std::size_t node_count() const { return attachments_.size() / node_ports_; }
  std::size_t router_count() const { return ports_.size(); }
  std::size_t input_count(RouterId router) const { return ports_[index(router)].inputs; }
  std::size_t output_count(RouterId router) const { return ports_[index(router)].outputs; }

  NumberRange<NodeId> nodes() const { return NumberRange<NodeId>(node_count()); }
  NumberRange<RouterId> routers() const { return NumberRange<RouterId>(router_count()); }
  NumberRange<PortId> inputs(RouterId router) const {
    return NumberRange<PortId>(input_count(router));
  }
  NumberRange<PortId> outputs(RouterId router) const {
    return NumberRange<PortId>(output_count(router));
  }

  /// All channels between routers. Channels to and from nodes are attachments.
  const std::vector<Channel>& channels() const { return channels_; }
  const Attachment& attachment(NodeId node, std::size_t port = 0) const {
    return attachments_[index(node) * node_ports_ + port];
  }

  /// The attachments of all nodes and ports, in this order.
  const std::vector<Attachment>& attachments() const { return attachments_; }

  /// Ports of every node, each with a channel into the network and a channel out of it.
  std::size_t node_ports() const { return node_ports_; }
  /// Gives every node `ports` ports instead of one. The added ports follow all other ports of their
  /// routers. Call it once, before the topology is used.
  /// Throws std::invalid_argument if `ports` is 0 or a router would exceed kMaxPorts.
  void widen_nodes(std::size_t ports);

  /// The sizes of the grid as which nodes are numbered, dimension 0 fastest; traffic patterns such
  /// as tornado need it. One dimension of node_count() for families without a grid.
  virtual std::vector<std::size_t> node_grid() const { return {node_count()}; }

  /// The class of a channel of this topology, such as "dimension_0", "wrap" or "global"; the
  /// experiment's link.classes gives all channels of a class values of their own.
  /// "link" for families whose channels are all alike.
  virtual std::string channel_class(const Channel& channel) const {
    static_cast<void>(channel);
    return "link";
  }

  /// A channel, to give it a latency, cycles per flit and buffers of its own before the topology is
  /// used; its ends stay as they are.
  Channel& channel(std::size_t number) { return channels_[number]; }

  /// The positions of the routers in drawings, all different; on a circle for families without a
  /// shape. Time: O(routers).
  virtual Layout layout() const { return on_circle(router_count()); }

  /// Bisection width: the minimum number of one-way channels between routers that are cut by a
  /// division of the nodes into two halves (whose sizes differ by one if the number of nodes is
  /// odd). Absent if it is not known exactly.
  virtual std::optional<std::size_t> bisection_channels() const { return std::nullopt; }

 protected:
  explicit Topology(std::string name) : name_(std::move(name)) {}

  RouterId add_router(std::size_t inputs, std::size_t outputs) {
    ports_.emplace_back();
    const RouterId router{static_cast<std::uint32_t>(ports_.size() - 1)};
    set_ports(router, inputs, outputs);
    return router;
  }
  /// Sets the numbers of ports of a router; its channels and nodes stay as they are.
  void set_ports(RouterId router, std::size_t inputs, std::size_t outputs) {
    ports_[index(router)] = {static_cast<std::uint32_t>(inputs),
                             static_cast<std::uint32_t>(outputs)};
  }
  void add_channel(const Channel& channel) { channels_.push_back(channel); }
  void add_node(const Attachment& attachment) { attachments_.push_back(attachment); }

 private:
  std::string name_;
  std::vector<PortCounts> ports_;  // Per router.
  std::vector<Channel> channels_;
  std::vector<Attachment> attachments_;  // Per node and port.
  std::size_t node_ports_ = 1;
};

/// The topology as one of a family; null if it is not of that family.
template <class Family>
const Family* topology_as(const Topology& topology) {
  return dynamic_cast<const Family*>(&topology);
}

}  // namespace flitcast
