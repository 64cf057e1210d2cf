// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "collective/demand.h"
#include "collective/forwarding/forwarding.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "config/catalog.h"
#include "config/param.h"
#include "config/section.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/complete.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/topology.h"

namespace flitcast {

/// What a collective algorithm is asked to work on.
struct CollectiveContext {
  const Topology& topology;
  NodeId source{};             ///< Of an operation that has one; see has_source().
  unsigned ports = kAllPorts;  ///< That a node has: a number, or one for every channel.
  Operation operation = Operation::kBroadcast;
  std::vector<NodeId> receivers{};  ///< Of a multicast: as Demand::receivers.
  /// So many ranks take part, of an algorithm between ranks, which may be fewer than the nodes; 0:
  /// as many. The source is one of them.
  std::size_t ranks = 0;

  std::size_t rank_count() const { return ranks == 0 ? topology.node_count() : ranks; }
};

/// A collective operation as an algorithm carries it out.
struct Collective {
  Demand demand;
  Discipline
      discipline;  ///< That the algorithm is made for; it may need fewer ports than there are.
  Plan plan;
};

/// Makes the plan that the workload section describes; throws PreconditionError where the algorithm
/// is not defined.
using CollectiveMaker = Collective (*)(const Section& workload, const CollectiveContext& context);

/// Makes the rules by which routers carry out what the workload section describes; throws
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
  std::vector<Operation> operations{};  ///< That it carries out.
  /// Whether nodes may send on what they hold without waiting for the end of a round.
  bool self_timed = true;
  /// How routers carry it out, with workload.forwarding: routers; null: only nodes do.
  ForwardingMaker forward = nullptr;
  /// Of a multicast whose messages routers copy, by a routing of their own; null of all others.
  CopyingMaker copy = nullptr;
  /// Of those operations the ones that it carries out between ranks, which a user may place on the
  /// nodes of any network.
  std::vector<Operation> on_ranks{};

  bool carries_out(Operation operation) const;
  bool is_on_ranks(Operation operation) const;
};

Catalog<CollectiveEntry>& collectives();

/// The keys by which a user chooses an operation, an algorithm for it and what it works on.
std::vector<Param> collective_params();

// For makers of collectives.

template <class Family>
constexpr const char* kFamily = "";
template <>
inline constexpr const char* kFamily<Grid> = "meshes, tori and rings";
template <>
inline constexpr const char* kFamily<Hypercube> = "hypercubes";
template <>
inline constexpr const char* kFamily<Complete> = "complete graphs";

/// The topology as one of the family that an algorithm is for; throws PreconditionError.
template <class Family>
const Family& require_family(const CollectiveContext& context) {
  if (const auto* family = dynamic_cast<const Family*>(&context.topology)) return *family;
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          std::string("the algorithm works on ") + kFamily<Family> + ", not on " +
                              context.topology.name(),
                          "choose another topology, or another algorithm (list collectives)");
}

/// Throws PreconditionError unless nodes send through all channels at once.
void require_all_ports(const CollectiveContext& context);

/// The operation of the context from its source, as `plan` carries it out.
Collective one_to_all(const CollectiveContext& context, const Discipline& discipline, Plan plan);

/// A gossip of so many chunks a node, store-and-forward and all-port.
Collective gossip_of(const CollectiveContext& context, std::size_t chunks, Plan plan);

/// A maker of broadcasts by an algorithm that asks for nothing but network and source.
template <class Family, Plan (*broadcast)(const Family&, NodeId), Switching switching,
          unsigned ports>
Collective make_broadcast(const Section&, const CollectiveContext& context) {
  const auto& family = require_family<Family>(context);
  if (ports == kAllPorts) require_all_ports(context);
  return one_to_all(context, {switching, ports}, broadcast(family, context.source));
}

/// A maker of gossips of so many chunks a node.
template <class Family, Plan (*algorithm)(const Family&), std::size_t chunks>
Collective make_gossip(const Section&, const CollectiveContext& context) {
  const auto& family = require_family<Family>(context);
  require_all_ports(context);
  return gossip_of(context, chunks, algorithm(family));
}

/// The entry of a broadcast by such an algorithm.
template <class Family, Plan (*broadcast)(const Family&, NodeId), Switching switching,
          unsigned ports>
CollectiveEntry broadcast_entry(const char* name, const char* summary) {
  return {{name, summary, {}, make_broadcast<Family, broadcast, switching, ports>},
          {Operation::kBroadcast}};
}

/// The entry of a gossip by such an algorithm.
template <class Family, Plan (*algorithm)(const Family&), std::size_t chunks>
CollectiveEntry gossip_entry(const char* name, const char* summary) {
  return {{name, summary, {}, make_gossip<Family, algorithm, chunks>}, {Operation::kGossip}};
}

/// workload.forwarding, of an entry that routers can carry out.
Param forwarding_param();

}  // namespace flitcast
