// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "topology/topology.h"

namespace flitcast {

/// The complete graph: all routers are neighbours. With n routers of one node each, output p of
/// router v leads to router v + p + 1 (mod n), and input p faces the same router; port n - 1 is
/// local.
class Complete : public Topology {
 public:
  static constexpr std::size_t kMaxNodes = kMaxPorts;

  /// @param nodes  n, 1 to kMaxNodes; other values throw std::invalid_argument.
  explicit Complete(std::size_t nodes);

  PortId local() const { return PortId{static_cast<std::uint16_t>(node_count() - 1)}; }

  /// 2 * floor(n / 2) * ceil(n / 2): all channels between the halves.
  std::optional<std::size_t> bisection_channels() const override;
};

}  // namespace flitcast
