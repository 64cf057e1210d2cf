// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/destination_groups.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

struct Param;
class Section;

/// A hop of a packet that routers copy: an output by which a copy leaves a router.
struct CopyHop {
  RouterId router{};
  PortId output{};
  VcSet vcs = 0;
  std::uint32_t channel = Adjacency::kNone;  ///< kNone: the output leads to the router's node.
  std::size_t behind = kInjected;            ///< The hop by which the packet came to the router.

  static constexpr std::size_t kInjected = ~std::size_t{0};
};

/// Multicast in hardware on direct networks: a source divides its destinations into parts, each of
/// which is served by one packet that routers copy.
///
/// The destination of a packet is the number of its part in groups(), or a node. The addresses of
/// the part, which a real head carries, take no flits here. Applies to topologies where node n is
/// attached to router n.
class MulticastRouting : public OnAllVcs<Routing> {
 public:
  using Nodes = std::vector<NodeId>;

  bool multicast() const final { return true; }

  /// The parts, none of them empty, each in the order in which its packet visits it. `destinations`
  /// are distinct and exclude the source; without destinations there are no parts.
  virtual std::vector<Nodes> parts(NodeId source, const Nodes& destinations) const = 0;

  /// The outputs of a packet for one part, regardless of its order.
  virtual void branches_to(const Nodes& part, const RouteRequest& request,
                           Branches& branches) const = 0;

  /// The groups that packets use as destinations.
  DestinationGroups& groups() const { return *groups_; }

  void branches(const RouteRequest& request, Branches& branches) const final {
    branches_to(groups_->members(request.destination), request, branches);
  }
  /// The route of a packet for one node; throws std::logic_error for a packet that is copied here.
  Route route(const RouteRequest& request) const final;

 protected:
  MulticastRouting(const Topology& topology, std::size_t virtual_channels);

 private:
  const std::unique_ptr<DestinationGroups> groups_;
};

/// The VCs to a node (its consumption channels) that the worms of two subnetworks use. If each
/// subnetwork has separate VCs, worms that hold some and wait for others form no cycle.
/// @param split  True: one subnetwork uses the first half of the VCs (one more if V is odd), the
///               other the rest. False, or with a single VC: both may use any VC.
std::array<VcSet, 2> consumption_vcs(std::size_t virtual_channels, bool split);

/// Declares and reads the key `consumption` of routings whose worms leave copies at nodes.
Param consumption_param();
bool splits_consumption(const Section& section);

/// True for a mesh of one or two dimensions.
bool is_row_of_columns(const Topology& topology);

/// The hops of the packet for one part in depth-first order, by rising outputs at each router,
/// outputs to nodes included.
/// Throws std::logic_error if the path is a cycle.
std::vector<CopyHop> follow(const Topology& topology, const Adjacency& adjacency,
                            const MulticastRouting& routing, NodeId source,
                            const MulticastRouting::Nodes& part);

/// The links that a packet takes, and the length of its longest path.
struct MulticastPath {
  std::size_t links = 0;
  std::size_t longest = 0;
};
MulticastPath measure(const std::vector<CopyHop>& hops);

}  // namespace flitcast
