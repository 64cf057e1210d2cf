// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "collective/demand.h"
#include "collective/forwarding/forwarding.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "config/catalog.h"
#include "config/param.h"
#include "config/section.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/topology.h"

namespace flitcast {

/// The instance that a collective algorithm is made for.
struct CollectiveContext {
  const Topology& topology;
  NodeId source{};             ///< The source of operations that have one; see has_source().
  unsigned ports = kAllPorts;  ///< The number of ports of a node, or one port for every channel.
  Operation operation = Operation::kBroadcast;
  std::vector<NodeId> receivers{};  ///< Demand::receivers of a multicast.
  /// The number of ranks in an algorithm between ranks, which may be smaller than the number of
  /// nodes; 0: as many as nodes. The source is a rank.
  std::size_t ranks = 0;
  Placement placement{};  ///< The nodes of the ranks.

  std::size_t rank_count() const { return ranks == 0 ? topology.node_count() : ranks; }
};

/// A collective operation as an algorithm carries it out.
struct Collective {
  Demand demand;
  Discipline discipline;  ///< The rules of a round; the algorithm may use fewer ports than exist.
  Plan plan;
};

/// Makes the plan that the workload section describes; throws PreconditionError where the algorithm
/// is not defined.
using CollectiveMaker = Collective (*)(const Section& workload, const CollectiveContext& context);

/// Makes the rules by which routers carry out the operation of the workload section; throws
/// PreconditionError where there are none.
using ForwardingMaker = RouterForwarding (*)(const Section& workload,
                                             const CollectiveContext& context,
                                             std::size_t virtual_channels);

/// Makes the routing that divides a multicast into packets which routers copy; throws
/// PreconditionError where it is not defined.
using CopyingMaker = std::unique_ptr<MulticastRouting> (*)(const Section& workload,
                                                           const CollectiveContext& context,
                                                           std::size_t virtual_channels);

/// A collective algorithm that a user can name under workload.algorithm.
struct CollectiveEntry : CatalogEntry<CollectiveMaker> {
  std::vector<Operation> operations{};  ///< The operations that it carries out.
  /// True if nodes may forward what they hold before the round ends.
  bool self_timed = true;
  /// Makes the rules of routers for workload.forwarding: routers; null: only nodes forward.
  ForwardingMaker forward = nullptr;
  /// Makes the routing by which routers copy the messages of a multicast; null: routers do not
  /// copy.
  CopyingMaker copy = nullptr;
  /// The operations that it carries out between ranks, which a user may place on the nodes of any
  /// network.
  std::vector<Operation> on_ranks{};

  bool carries_out(Operation operation) const { return contains(operations, operation); }
  bool is_on_ranks(Operation operation) const { return contains(on_ranks, operation); }
};

Catalog<CollectiveEntry>& collectives();

/// The keys by which a user selects an operation, an algorithm and an instance.
std::vector<Param> collective_params();

// Helpers for the makers of collectives.

template <class Family>
constexpr const char* kFamily = "";
template <>
inline constexpr const char* kFamily<Grid> = "meshes, tori and rings";
template <>
inline constexpr const char* kFamily<Hypercube> = "hypercubes";
template <>
inline constexpr const char* kFamily<Complete> = "complete graphs";

/// Returns the topology as a member of the algorithm's family; throws PreconditionError for another
/// topology.
template <class Family>
const Family& family_of(const CollectiveContext& context) {
  if (const auto* family = dynamic_cast<const Family*>(&context.topology)) return *family;
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          std::string("the algorithm works on ") + kFamily<Family> + ", not on " +
                              context.topology.name(),
                          "choose another topology, or another algorithm (list collectives)");
}

/// The precondition that a node can send through all channels at once (kPorts).
Precondition with_all_ports(const CollectiveContext& context);

/// Combines the context's operation and source with a plan.
/// @param chunks  The chunks of every node in a gossip.
Collective one_to_all(const CollectiveContext& context, const Discipline& discipline, Plan plan,
                      std::size_t chunks = 1);

/// The maker of a broadcast whose algorithm depends only on network and source.
template <class Family, Plan (*broadcast)(const Family&, NodeId), Switching switching,
          unsigned ports>
Collective make_broadcast(const Section&, const CollectiveContext& context) {
  const auto& family = family_of<Family>(context);
  if (ports == kAllPorts) require(with_all_ports(context));
  return one_to_all(context, {switching, ports}, broadcast(family, context.source));
}

/// The maker of a store-and-forward, all-port gossip with `chunks` chunks per node.
template <class Family, Plan (*algorithm)(const Family&), std::size_t chunks>
Collective make_gossip(const Section&, const CollectiveContext& context) {
  const auto& family = family_of<Family>(context);
  require(with_all_ports(context));
  return one_to_all(context, {}, algorithm(family), chunks);
}

/// The catalog entry of a broadcast made by make_broadcast().
template <class Family, Plan (*broadcast)(const Family&, NodeId), Switching switching,
          unsigned ports>
CollectiveEntry broadcast_entry(const char* name, const char* summary) {
  return {{name, summary, {}, make_broadcast<Family, broadcast, switching, ports>},
          {Operation::kBroadcast}};
}

/// The catalog entry of a gossip made by make_gossip().
template <class Family, Plan (*algorithm)(const Family&), std::size_t chunks>
CollectiveEntry gossip_entry(const char* name, const char* summary) {
  return {{name, summary, {}, make_gossip<Family, algorithm, chunks>}, {Operation::kGossip}};
}

/// The key workload.forwarding of algorithms that routers can carry out.
Param forwarding_param();
/// The key workload.at_once of reductions by routers.
Param at_once_param();

}  // namespace flitcast
