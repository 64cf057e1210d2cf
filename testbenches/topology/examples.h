// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Small, odd and degenerate topologies: every example of every entry of topologies(). Paths in
/// examples are relative to FLITCAST_TOPOLOGY_EXAMPLES.
std::vector<std::unique_ptr<Topology>> example_topologies();

}  // namespace flitcast
