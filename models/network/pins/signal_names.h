// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/ids.h"
#include "topology/topology.h"

namespace flitcast {

/// The signals and cycles of a waveform.
struct SignalTrace {
  /// Names of routers, links and nodes. "router_5": the wires at all of its ports; "link_12": the
  /// wires at both ends of that channel of the topology; "node_3": the wires between the node and
  /// its routers.
  std::vector<std::string> signals;
  Cycle from{};      ///< The first cycle in the waveform.
  Cycle to{};        ///< The first cycle after it.
  std::string file;  ///< Path of the VCD file, which appears when it is complete.
};

/// The router, link or node that a name in SignalTrace::signals stands for.
struct SignalGroup {
  enum class Kind { kRouter, kLink, kNode };
  Kind kind = Kind::kRouter;
  std::size_t number = 0;
};

/// Returns the group of a name. Throws std::invalid_argument, whose text lists the valid names, for
/// a name without a router, link or node in the topology.
SignalGroup signal_group(const std::string& name, const Topology& topology);

}  // namespace flitcast
