// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Makes the topology that the section describes; throws ConfigError if it cannot be built.
using TopologyMaker = std::unique_ptr<Topology> (*)(const Section& topology);

struct TopologyEntry : CatalogEntry<TopologyMaker> {
  /// The size of the topology that the section describes, so that one that does not fit into memory
  /// is refused before it is made. Arbitrary for topologies that cannot be built. Null if the size
  /// is known only after the topology is made.
  TopologySize (*size)(const Section& topology) = nullptr;
};

/// A topology of any family, as a TopologyMaker returns it.
template <class Family>
std::unique_ptr<Topology> made(Family topology) {
  return std::make_unique<Family>(std::move(topology));
}

/// The value of a key that is a list of integers of at least 0.
std::vector<std::size_t> counts_of(const Section& topology, const std::string& key);

/// The keys of the section: those of all topologies and topology.faults.
std::vector<Param> topology_keys();
/// Makes the topology that topology.kind names, and removes the faults.
std::unique_ptr<Topology> make_topology(const Section& topology);
/// Makes the topology as above, with the latencies, widths and buffers that the section `link`
/// gives channels by class and by exception.
std::unique_ptr<Topology> make_topology(const Section& topology, const Section& link);

/// The topologies that a user can name under topology.kind. Programs can add entries.
Catalog<TopologyEntry>& topologies();

}  // namespace flitcast
