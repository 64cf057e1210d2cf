// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Makes the topology that the section describes; throws ConfigError for what cannot be built.
using TopologyMaker = std::unique_ptr<Topology> (*)(const Section& topology);

struct TopologyEntry : CatalogEntry<TopologyMaker> {
  /// The size of what the section describes, so that what does not fit into memory is refused
  /// before any of it is made; what cannot be built may be of any size. Null: it is made first.
  TopologySize (*size)(const Section& topology) = nullptr;
};

/// The keys of the section: those of all topologies and of what has failed.
std::vector<Param> topology_keys();
/// Makes the topology that topology.kind names, and takes away what has failed.
std::unique_ptr<Topology> make_topology(const Section& topology);

/// The topologies that a user can name under topology.kind, open to more.
Catalog<TopologyEntry>& topologies();

}  // namespace flitcast
