// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "topology/topology.h"

namespace flitcast::conformance {

/// Makes the network that the broadcast-and-gossip table writes K13 (complete graph), Q5
/// (hypercube), M(3,3,4) (mesh, dimension 0 first) or T(2,3) (torus).
///
/// Throws PreconditionError if there is no such network, or if flitcast cannot build it (T(0,3),
/// Q64), and std::invalid_argument for other text.
std::unique_ptr<Topology> network_named(const std::string& name);

}  // namespace flitcast::conformance
