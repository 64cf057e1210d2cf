// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/forwarding/forwarding.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// Plays a collective operation that the routers carry out: nodes inject in cycle 0, and the
/// routers do the rest.
class RouterPlayer : public CollectivePlayer {
 public:
  using Injection = RouterForwarding::Injection;

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;

 protected:
  /// A node makes its injections in the given order.
  /// @param placement  The nodes of the ranks that the demand counts.
  RouterPlayer(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
               std::uint64_t seed, Placement placement);

  const std::vector<Injection>& injections() const { return injections_; }
  const Placement& placement() const { return placement_; }
  /// Makes the packet of an injection, except for its port and header.
  virtual PacketRequest packet_of(const Injection& injection) const = 0;

 private:
  const Placement placement_;
  std::vector<Injection> injections_;  // The injections, ordered by rank.
  std::vector<std::size_t> begin_;     // By rank: the index of its first injection; then the end.
};

/// Plays a broadcast or a gossip by routers.
///
/// The destination of a packet is the node where its chunk starts, for routings that read the
/// source there; its tag is the number of the chunk.
class ForwardingPlayer : public RouterPlayer {
 public:
  /// @param demand  Where chunks start and where they must end.
  /// @param length  Flits of every chunk.
  ForwardingPlayer(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
                   std::uint64_t seed, Placement placement = {});

  /// Throws InvariantError for a chunk that the node holds already or does not want.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 protected:
  PacketRequest packet_of(const Injection& injection) const override;
};

/// Plays reductions by routers: nodes inject their contributions, and sums arrive.
///
/// The tag and the header of a packet name its reduction. A node contributes different values to
/// several reductions, so that a sum with parts of another reduction is detected.
class ReductionPlayer : public RouterPlayer {
 public:
  /// @param injections  Made by reduction_forwarding(); Injection::route_field is the number of
  ///                    the reduction.
  /// @param demand      The operation whose sum the first reduction must produce.
  /// @param length      Flits of every contribution.
  ReductionPlayer(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
                  std::uint64_t seed, Placement placement = {});

  /// Throws InvariantError for a sum that differs from the sum of all contributions, or that the
  /// node has already received.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 protected:
  PacketRequest packet_of(const Injection& injection) const override;

 private:
  std::uint64_t of_reduction(std::size_t reduction, std::uint64_t value) const;

  std::vector<std::uint64_t> sums_;       // By reduction: the expected sum.
  std::vector<std::vector<bool>> holds_;  // By reduction: the ranks that have the sum.
};

}  // namespace flitcast
