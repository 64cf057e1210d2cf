// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "collective/schedule.h"
#include "topology/topology.h"
#include "traffic/collective_source.h"

namespace flitcast {

/// Plays a schedule on a network: every send is a packet from node to node, and nodes forward what
/// they have received.
///
/// A node with as many ports as its router has channels sends by the port that belongs to the first
/// hop, so its sends of a round do not meet; with fewer ports its sends take turns. The header
/// tells the routing which of its paths to take (routability.h).
class SchedulePlayer : public ChunkSource {
 public:
  enum class Timing {
    kRounds,     ///< A round starts in the cycle after the last arrival of the round before it.
    kSelfTimed,  ///< A send starts once its node holds the chunk and has begun its earlier sends.
  };

  /// `topology` and `schedule` must outlive the player. Where every output has a node port, those
  /// to other routers come first (grids, hypercubes, complete graphs, graphs with one node a
  /// router); std::invalid_argument otherwise.
  /// @param length  Flits of every chunk.
  SchedulePlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
                 Timing timing, std::uint32_t length, std::uint64_t seed);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a packet that the schedule does not send there.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  bool finished() const override { return arrived_ == schedule_.size(); }

 private:
  // The sends of one node that follow one another: all, or those by one first output.
  std::size_t lane(NodeId node, PortId output) const {
    return index(node) * lanes_ + (lanes_ == 1 ? 0 : index(output));
  }
  void sort_into_lanes();
  bool ready(std::size_t send) const;
  PacketRequest packet(std::size_t send) const;
  void skip_empty_rounds();
  void start_round(Cycle when, std::vector<WakeUp>& wake_ups);

  const Topology& topology_;
  const Schedule& schedule_;
  const Timing timing_;
  const std::uint32_t length_;
  const std::size_t lanes_;           // Of every node.
  std::vector<std::uint32_t> sends_;  // Numbers of the sends, lane by lane;
  std::vector<std::size_t> next_;     // per lane the place of its next one
  std::vector<std::size_t> last_;     // and of the end.
  std::size_t round_ = 0;
  std::size_t round_arrived_ = 0;
  std::size_t arrived_ = 0;
  std::vector<std::size_t> woken_for_;  // Per node: the last round it was woken for, plus one.
};

}  // namespace flitcast
