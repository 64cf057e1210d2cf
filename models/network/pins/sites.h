// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/network_params.h"
#include "network/pins/router.h"
#include "topology/topology.h"

namespace flitcast::pins {

/// The places of all routers of a network, by RouterId, for modules with pins that stand there;
/// without Place::packet_id. `topology` must outlive them. Time: one visit to every channel and
/// node.
std::vector<Site> sites_of(const Topology& topology, const NetworkParams& params);

/// Throws InvariantError for a head that no routing of the place's topology knows a way for.
void require_destination(const Site& place, const Routing& routing, unsigned input, unsigned vc,
                         const Flit& head);
/// Throws InvariantError for an answer of a routing that the place has no output or no VC for.
void require_output(const Site& place, PortId output, VcSet vcs, unsigned input, unsigned vc);

}  // namespace flitcast::pins
