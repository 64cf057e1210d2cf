// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "collective/placement.h"
#include "sim/experiment/workload.h"

namespace flitcast {

/// The problem that an experiment with a collective operation poses: which operation, on which
/// nodes, from whom to whom.
struct CollectiveInstance {
  CollectiveContext context;         ///< What an algorithm is made for; its source is a rank.
  Placement placement{};             ///< Of the ranks, where they are not the nodes themselves.
  std::vector<NodeId> rank_nodes{};  ///< The node of every rank; empty where they are the same.
};

/// Reads the instance from the section `workload` and from `node.ports`. Throws ConfigError for a
/// placement under an algorithm that places its ranks itself, a source that is none of the nodes,
/// and receivers that there are not.
CollectiveInstance collective_instance(const WorkloadContext& context);

}  // namespace flitcast
