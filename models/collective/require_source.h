// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/ids.h"
#include "collective/precondition.h"
#include "topology/topology.h"

namespace flitcast {

/// Throws PreconditionError (kSource) unless `source` is a node of the topology.
inline void require_source(const Topology& topology, NodeId source) {
  if (index(source) < topology.node_count()) return;
  throw PreconditionError(
      PreconditionError::Subject::kSource,
      "there is no node " + std::to_string(index(source)) + " in " + topology.name(),
      "use a source from 0 to " + std::to_string(topology.node_count() - 1));
}

}  // namespace flitcast
