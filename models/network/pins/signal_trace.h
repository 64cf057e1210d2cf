// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "topology/topology.h"

namespace flitcast {

/// Which signals of a network go to a waveform, and when.
struct SignalTrace {
  /// "router_5": the wires at all of its ports; "link_12": those at both ends of that channel of
  /// the topology; "node_3": those between the node and its routers.
  std::vector<std::string> signals;
  Cycle from{};      ///< The first cycle that is in it,
  Cycle to{};        ///< and the first that is not.
  std::string file;  ///< Path of the VCD file, which appears when it is complete.
};

/// What a name of SignalTrace::signals names.
struct SignalGroup {
  enum class Kind { kRouter, kLink, kNode };
  Kind kind = Kind::kRouter;
  std::size_t number = 0;
};

/// Throws std::invalid_argument, whose text says what there is, for a name that the topology has no
/// router, link or node for.
SignalGroup signal_group(const std::string& name, const Topology& topology);

}  // namespace flitcast
