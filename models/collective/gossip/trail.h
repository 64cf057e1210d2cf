// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/ids.h"
#include "topology/grid.h"

namespace flitcast {

/// One place of a trail: a node and the output that the trail leaves it by.
struct TrailPosition {
  NodeId node{};
  PortId output{};

  friend constexpr bool operator==(TrailPosition a, TrailPosition b) {
    return a.node == b.node && a.output == b.output;
  }
};

/// A closed walk on a grid that uses no link twice: every position's output leads to the node of
/// the next position, the last one's to the first. A node may lie on it more than once.
using Trail = std::vector<TrailPosition>;

/// Time-independent forwarding: the output for all that enters a node by an input, a pure function
/// of the two. Different inputs of a node must give different outputs.
using ForwardingRule = std::function<PortId(NodeId node, PortId input)>;

/// The trail that begins at `start` through `output` and obeys the rule until it is back there.
Trail follow(const Grid& torus, TrailPosition start, const ForwardingRule& forward);

}  // namespace flitcast
