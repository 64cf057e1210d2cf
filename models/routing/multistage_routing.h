// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/butterfly.h"
#include "topology/clos.h"

namespace flitcast {

/// Destination-tag routing on butterflies: at stage s a packet takes the output that digit n-1-s of
/// the destination names, the most significant digit first. There is only one path from each
/// source. Deadlock-free with one VC, since channels lead forward only; uses any VC.
/// Source: Lawrie, "Access and Alignment of Data in an Array Processor", IEEE Trans. Computers
/// 24(12), 1975.
class DestinationTag : public OnAllVcs<Routing> {
 public:
  /// `butterfly` need not outlive the routing.
  DestinationTag(const Butterfly& butterfly, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }

 private:
  std::size_t stages_;
  std::vector<std::uint8_t> stage_of_;  // Per router.
  std::vector<std::uint8_t> digits_;    // Per node and stage, the output to take there.
};

/// Oblivious routing on Clos networks for packets to single nodes: the middle switch of a packet is
/// (input port + input switch + destination) mod m, so the nodes of a switch spread over the middle
/// switches, as do the packets of one node; nested levels likewise. It ignores other packets:
/// without central control packets contend and wait. Deadlock-free with one VC, since channels lead
/// forward only; uses any VC.
/// Source: the static port assignment of folded Clos networks (D-mod-k), e.g. Zahavi, "Fat-tree
/// routing and node ordering providing contention free traffic for MPI global collectives", 2012;
/// the source's port is added here so that permutations within a switch spread as well.
class MiddleSpread : public OnAllVcs<Routing> {
 public:
  /// `clos` need not outlive the routing.
  MiddleSpread(const Clos& clos, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;

 private:
  enum class Stage : std::uint8_t { kInput, kMiddle, kOutput };
  struct Switch {
    Stage stage{};
    std::uint32_t number = 0;   ///< The number of the switch in its stage.
    std::uint32_t choices = 1;  ///< m in an input switch, n in an output switch.
    std::uint32_t divisor = 1;  ///< Port p of the switch's network: destination node / divisor.
    std::uint32_t ports = 1;    ///< n: p / ports is the destination's output switch.
  };
  void enter(const Clos::Network& network, std::uint32_t divisor);

  std::vector<Switch> switches_;  // Per router.
};

}  // namespace flitcast
