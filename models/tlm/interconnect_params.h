// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "network/network_params.h"
#include "routing/routing.h"
#include "tlm/address_map.h"
#include "tlm/burst.h"
#include "tlm/exchange.h"
#include "tlm/initiator_side.h"
#include "topology/topology.h"

namespace flitcast::tlm {

/// Parameters of an interconnect in addition to those of its network.
struct InterconnectParams {
  /// The node of every initiator and of every target, in the order of the sockets. A node may have
  /// several of both.
  Placement placement{};
  std::vector<Window> windows{};
  PacketFormat format{};
  InitiatorLimits limits{};
  /// A transaction without progress for this time is an error; zero: never.
  sc_core::sc_time timeout{1, sc_core::SC_MS};
  /// Checks the use of the base protocol at every socket.
  bool check_protocol = false;
};

/// One sentence for each problem, "what; hint"; empty if such an interconnect can be built.
std::vector<std::string> problems_of(const InterconnectParams& params, const Topology& topology,
                                     const Routing& routing, const NetworkParams& network);

}  // namespace flitcast::tlm
