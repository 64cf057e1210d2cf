// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/forwarding/forwarding.h"
#include "traffic/collective_source.h"

namespace flitcast {

/// Plays a collective operation that the routers carry out: nodes inject in cycle 0, and all else
/// is up to the routers. The sibling of SchedulePlayer.
///
/// A packet's destination is the node where its chunk starts, for routings that read the source
/// there; its tag is the number of the chunk.
class ForwardingSource : public ChunkSource {
 public:
  using Injection = RouterForwarding::Injection;

  /// @param demand  Which chunks start where and have to end where.
  /// @param length  Flits of every chunk.
  ForwardingSource(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
                   std::uint64_t seed);

  Cycle first(NodeId node) override;
  /// Throws InvariantError for a chunk that the node does not hold.
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a chunk that the node holds already or does not want.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// Whether all receivers of all packets have been served.
  bool finished() const override { return arrived_ == expected_; }

 private:
  PacketRequest packet(const Injection& injection) const;

  const Demand demand_;
  const std::uint32_t length_;
  std::vector<Injection> injections_;  // Node by node;
  std::vector<std::size_t> begin_;     // per node the place of its first, and the end.
  std::uint64_t expected_ = 0;
  std::uint64_t arrived_ = 0;
};

}  // namespace flitcast
