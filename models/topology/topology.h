// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "topology/layout.h"

namespace flitcast {

/// Most routers, and most nodes, of a topology.
inline constexpr std::size_t kMaxRouters = std::size_t{1} << 24;

/// Most inputs or outputs of a router, the local port included.
inline constexpr std::size_t kMaxPorts = 128;

/// How large a topology is at least, before it is made.
struct TopologySize {
  std::size_t routers = 0;
  std::size_t nodes = 0;
  std::size_t channels = 0;
  std::size_t ports = 1;  ///< Inputs, and as many outputs, of every router; more are possible.
};

/// How many ports a router has.
struct PortCounts {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
};

/// Bytes of a Topology of that size.
std::uint64_t memory_estimate(const TopologySize& size);

/// The product of the sizes, or kMaxRouters + 1 when it is larger than kMaxRouters.
std::size_t bounded_product(const std::vector<std::size_t>& sizes);

/// For constructors: throws std::invalid_argument beyond the limits or without a router.
void require_buildable(std::size_t routers, std::size_t ports);

/// A port of a router. Inputs and outputs are numbered apart, each from 0.
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
  std::uint32_t latency = 0;  ///< Cycles; 0 stands for the experiment's link.latency.
  /// It takes a flit in this many cycles; 0 stands for the experiment's link.cycles_per_flit.
  std::uint32_t cycles_per_flit = 0;
};

/// Where the packets of one port of a node enter and leave. The two routers differ in indirect
/// networks.
struct Attachment {
  Endpoint injection;  ///< An input port.
  Endpoint ejection;   ///< An output port.
};

/// Who is connected to whom: a pure graph, immutable once built, without any notion of time.
///
/// Families derive from it to add their geometry (sizes, coordinates), on which routing algorithms
/// decide; the network needs nothing but this class. Ports may stay unconnected (mesh borders).
/// A node has one channel to and one from its router until widen_nodes() gives it more.
class Topology {
 public:
  virtual ~Topology() = default;

  /// The kind and its sizes, as a reader writes them: "mesh 8x8".
  const std::string& name() const { return name_; }

  /// What users call a router: its number, if they have not given it a name.
  virtual std::string router_name(RouterId router) const { return std::to_string(index(router)); }

  std::size_t node_count() const { return attachments_.size() / node_ports_; }
  std::size_t router_count() const { return ports_.size(); }
  std::size_t input_count(RouterId router) const { return ports_[index(router)].inputs; }
  std::size_t output_count(RouterId router) const { return ports_[index(router)].outputs; }

  /// All channels between routers; those to and from nodes are the attachments.
  const std::vector<Channel>& channels() const { return channels_; }
  const Attachment& attachment(NodeId node, std::size_t port = 0) const {
    return attachments_[index(node) * node_ports_ + port];
  }

  /// Ports of every node: channels into the network, and as many out of it.
  std::size_t node_ports() const { return node_ports_; }
  /// Gives every node `ports` ports instead of one; the further ones come after all other ports of
  /// their routers. Once, before the topology is used; throws std::invalid_argument for no port and
  /// for more than a router can have.
  void widen_nodes(std::size_t ports);

  /// Geometry that traffic patterns such as tornado need: nodes are numbered as a grid of these
  /// sizes, dimension 0 fastest. One dimension of node_count() where the family has no other.
  virtual std::vector<std::size_t> node_grid() const { return {node_count()}; }

  /// Where drawings put the routers, no two in one place: on a circle where the family has no shape
  /// of its own. Time: about a visit to every router.
  virtual Layout layout() const { return on_circle(router_count()); }

  /// Bisection width: the fewest one-way channels between routers that any division into two halves
  /// of equally many nodes (or one more in one of them) cuts. Absent where it is not known exactly.
  virtual std::optional<std::size_t> bisection_channels() const { return std::nullopt; }

 protected:
  explicit Topology(std::string name) : name_(std::move(name)) {}

  RouterId add_router(std::size_t inputs, std::size_t outputs) {
    ports_.emplace_back();
    const RouterId router{static_cast<std::uint32_t>(ports_.size() - 1)};
    set_ports(router, inputs, outputs);
    return router;
  }
  /// Replaces the ports of a router.
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

}  // namespace flitcast
