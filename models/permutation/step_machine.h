// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// A packet's way in one phase.
struct Move {
  std::uint32_t packet = 0;  ///< Number in the instance.
  NodeId from{};
  NodeId to{};
  /// Flit::route_field, one of Routing::choices(); absent: drawn.
  std::optional<std::uint16_t> choice{};
};

/// Whether the packet is there already: at the node where it has to go, which also receives where
/// it sends. Nodes of butterflies do not, so that every packet crosses the network.
bool is_there(const Topology& topology, const Move& move);

/// Moves that start together. The next phase starts when the last of them has arrived, or after
/// `steps`, whichever is later.
struct MovePhase {
  std::vector<Move> moves;
  std::size_t steps = 0;  ///< That the algorithm reserves for it, known in advance.
};

/// The paths that a routing takes, as channels of the topology one after the other.
class MovePaths {
 public:
  /// What a path depends on besides its ends, the coins of routings with ties and choices that are
  /// drawn, comes from the seed and the packet.
  /// `topology` and `routing` must outlive the paths.
  MovePaths(const Topology& topology, const Routing& routing, std::uint64_t seed)
      : topology_(topology), adjacency_(topology), routing_(routing), seed_(seed) {}

  /// Flit::ties of a packet.
  std::uint8_t ties(std::uint32_t packet) const;
  /// Flit::route_field of a packet in a move.
  std::uint16_t route_field(const Move& move) const;
  /// Appends the channels between routers of a move; throws std::invalid_argument if the routing
  /// does not come to an end.
  void append(const Move& move, std::vector<std::uint32_t>& channels);
  /// The fewest virtual channels that any hop so far could choose among.
  std::size_t fewest_vcs() const { return fewest_vcs_; }

  const Topology& topology() const { return topology_; }

 private:
  const Topology& topology_;
  const Adjacency adjacency_;
  const Routing& routing_;
  const std::uint64_t seed_;
  std::size_t fewest_vcs_ = kMaxVirtualChannels;
};

/// What a phase came to.
struct PhaseOutcome {
  std::size_t steps = 0;       ///< T: when the last packet arrived.
  std::size_t congestion = 0;  ///< C: most packets whose paths share a channel.
  std::size_t longest_path = 0;
  std::size_t max_queue =
      0;  ///< Q: longest queue at the start of a step, with the one that leaves.
  std::size_t max_held =
      0;  ///< H: most packets at a router that do not leave at once, of the kind.
  std::size_t max_stored = 0;         ///< Most packets of one channel that wait behind it.
  std::vector<std::uint32_t> delays;  ///< Per move: arrival less length of the path.

  /// No order of queues takes fewer steps on these paths.
  std::size_t lower_bound() const { return congestion > longest_path ? congestion : longest_path; }
};

/// The synchronous store-and-forward machine: in a step every channel carries at most one packet,
/// a node has a queue for each of its channels, and every queue that is not empty sends the packet
/// of the smallest (rank, step of joining, number). A packet that is_there() has arrived
/// before the first step. Time: the hops of all packets, each times the logarithm of its queue.
///
/// Source: CS838 lecture notes (1999), section 9; Leighton, "Introduction to Parallel Algorithms
/// and Architectures", 1992, section 1.7.
class StepMachine {
 public:
  /// Both must outlive the machine.
  StepMachine(MovePaths& paths, const QueuePriority& priority)
      : paths_(paths), priority_(priority) {}

  PhaseOutcome run(const MovePhase& phase);

  /// Of the last run: the channels of move m are channel(first(m)) ... channel(first(m + 1) - 1).
  std::size_t first(std::size_t move) const { return first_[move]; }
  std::uint32_t channel(std::size_t place) const { return channels_[place]; }

 private:
  struct Waiting {
    std::uint32_t rank = 0;
    std::uint32_t joined = 0;  // Step.
    std::uint32_t packet = 0;
    std::uint32_t move = 0;
    std::uint32_t place = 0;  // Of the channel that it waits for, in channels_.
  };

  void find_paths(const MovePhase& phase, PhaseOutcome& outcome);
  void join(const MovePhase& phase, std::uint32_t move, std::uint32_t place, std::uint32_t step);
  void look(PhaseOutcome& outcome);
  void send_heads();
  void arrive(const MovePhase& phase, std::uint32_t step, PhaseOutcome& outcome);

  MovePaths& paths_;
  const QueuePriority& priority_;
  std::vector<std::uint32_t> channels_;
  std::vector<std::size_t> first_;
  std::vector<std::vector<Waiting>> queues_;  // Per channel, each a heap.
  std::vector<std::uint32_t> active_;         // Channels with a queue.
  std::vector<Waiting> sent_;                 // In this step.
  std::vector<std::size_t> held_;             // Per router, in this step.
  std::vector<std::uint32_t> stored_;         // Per channel: packets that came by it and wait.
};

/// What the delay theorem says of a phase: no packet is delayed by more steps than there are others
/// that share a channel with its path, whatever the order of the queues.
///
/// It holds where paths are fixed, paths that separate never meet again, and no channel idles while
/// a packet waits for it. Of these the machine guarantees the last and fixed paths the first; the
/// second is looked at here. Source: Leighton (1992), section 3.4; the lag argument.
struct DelayTheorem {
  bool checked = true;               ///< False: too many pairs of packets to look at.
  bool applies = true;               ///< Paths that separate never meet again.
  std::size_t violations = 0;        ///< Packets delayed by more.
  std::size_t greatest_sharing = 0;  ///< Most others that share a channel with one packet.
};
DelayTheorem check_delay_theorem(const StepMachine& machine, const PhaseOutcome& outcome);

}  // namespace flitcast
