// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "topology/topology.h"

namespace flitcast::conformance {

/// The network that the broadcast-and-gossip table writes K13 (complete graph), Q5 (hypercube),
/// M(3,3,4) (mesh, dimension 0 first) or T(2,3) (torus).
///
/// Throws PreconditionError where there is no such network, or none that flitcast can build
/// (T(0,3), Q64), and std::invalid_argument for text that means nothing.
std::unique_ptr<Topology> network_named(const std::string& name);

}  // namespace flitcast::conformance
