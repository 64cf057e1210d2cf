// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/butterfly.h"

namespace flitcast {

/// Destination-tag routing on butterflies: at stage s a packet takes the output that digit n-1-s of
/// the destination names, the most significant digit first. There is only one path from each
/// source. Deadlock-free with one VC, since channels lead forward only; uses any VC.
/// Source: Lawrie, "Access and Alignment of Data in an Array Processor", IEEE Trans. Computers
/// 24(12), 1975.
class DestinationTag : public Routing {
 public:
  /// `butterfly` need not outlive the routing.
  DestinationTag(const Butterfly& butterfly, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  std::size_t stages_;
  std::vector<std::uint8_t> stage_of_;  // Per router.
  std::vector<std::uint8_t> digits_;    // Per node and stage, the output to take there.
  VcSet all_;
};

}  // namespace flitcast
