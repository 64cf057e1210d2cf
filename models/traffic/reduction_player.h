// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/collective_player.h"

namespace flitcast {

/// Plays reductions that the routers carry out: nodes inject their contributions in cycle 0, and
/// sums arrive.
///
/// A packet's tag and header name its reduction. Contributions of a node to several reductions
/// differ, so that a sum with parts of another is not right.
class ReductionPlayer : public CollectivePlayer {
 public:
  using Injection = RouterForwarding::Injection;

  /// @param injections  Of reduction_forwarding(), node by node; Injection::route_field is the
  ///                    number of the reduction.
  /// @param demand      An operation that adds up: what the first reduction has to end with.
  /// @param length      Flits of every contribution.
  ReductionPlayer(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
                  std::uint64_t seed);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a sum that is not that of all contributions or that the node has
  /// got already.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 private:
  std::uint64_t of_reduction(std::size_t reduction, std::uint64_t value) const;

  std::vector<Injection> injections_;
  std::vector<std::size_t> begin_;       // Per node the place of its first, and the end.
  std::vector<std::uint64_t> sums_;      // Per reduction.
  std::vector<std::vector<bool>> told_;  // Per reduction: nodes that have the sum.
};

}  // namespace flitcast
