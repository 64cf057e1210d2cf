// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/demand.h"
#include "collective/discipline.h"
#include "collective/forwarding/forwarding.h"
#include "collective/plan.h"
#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// What a collective algorithm is asked to work on.
struct CollectiveContext {
  const Topology& topology;
  NodeId source{};             ///< Of a broadcast or a scatter.
  unsigned ports = kAllPorts;  ///< That a node has: a number, or one for every channel.
};

/// A collective operation as an algorithm carries it out.
struct Collective {
  Demand demand;
  Discipline
      discipline;  ///< That the algorithm is made for; it may need fewer ports than there are.
  Plan plan;
};

/// Makes the schedule that the workload section describes; throws PreconditionError where the
/// algorithm is not defined.
using CollectiveMaker = Collective (*)(const Section& workload, const CollectiveContext& context);

/// Makes the rules by which routers carry out what the workload section describes; throws
/// PreconditionError where there are none.
using ForwardingMaker = RouterForwarding (*)(const Section& workload,
                                             const CollectiveContext& context,
                                             std::size_t virtual_channels);

/// The algorithms that routers can carry out, with workload.forwarding: routers.
const Catalog<CatalogEntry<ForwardingMaker>>& router_forwardings();

/// The algorithms that a user can name under workload.algorithm, for each operation.
const Catalog<CatalogEntry<CollectiveMaker>>& broadcasts();
const Catalog<CatalogEntry<CollectiveMaker>>& gossips();
const Catalog<CatalogEntry<CollectiveMaker>>& scatters();
const Catalog<CatalogEntry<CollectiveMaker>>& all_to_all_scatters();

/// An operation with its name in experiments and the algorithms for it.
struct OperationEntry {
  const char* name;
  Operation operation;
  const Catalog<CatalogEntry<CollectiveMaker>>& (*algorithms)();
};
const std::vector<OperationEntry>& operations();

}  // namespace flitcast
