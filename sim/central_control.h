// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/catalog.h"
#include "config/configuration.h"
#include "network/circuit/circuit_params.h"
#include "routing/catalog.h"
#include "sim/workload.h"
#include "topology/clos.h"

namespace flitcast {

/// The routings that a user can name under routing.kind: those of the catalog, and the central
/// control of Clos networks. That one is no pure function of a header, so its maker is here.
const Catalog<RoutingEntry>& all_routings();

/// Whether a central control decides who may enter.
bool is_centrally_controlled(const Configuration& configuration);

/// Throws ConfigError for a circuit-switched network without a central control, and for its keys
/// that mean nothing in one. All others pass: with a control, add_central_control() judges.
void require_sound_circuits(const Configuration& configuration);

/// Strategy and limits of the central control that the configuration describes; the times are those
/// of the fallback. For whoever wants to try requests on a control of its own.
CircuitParams control_of(const Configuration& configuration, const Clos& topology);

/// Gives a network whose topology is known groups, and a central control as routing and admission.
/// Throws one ConfigError for topologies that are no Clos network, for nodes with several ports,
/// for parameters that lack each other and for keys that mean nothing in a circuit-switched
/// network; if the topology is one, the network has its groups all the same.
void add_central_control(NetworkPlan& network, const Configuration& configuration);

}  // namespace flitcast
