// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// The moves of a permutation's packets, in phases: a schedule without paths, each of whose
/// messages moves the packet with the number of its chunk. A phase starts when the last packet of
/// the phase before has arrived, or after the steps reserved for that phase, whichever is later.
struct MovePlan {
  Schedule phases;
  /// By phase: the steps that the algorithm reserves in advance; empty: no steps are reserved.
  std::vector<std::size_t> steps{};
  /// By packet: Flit::route_field, one of Routing::choices(); empty: it is drawn at random.
  std::vector<std::uint16_t> choices{};

  std::size_t reserved(std::size_t phase) const { return steps.empty() ? 0 : steps[phase]; }
};

/// The number of the packet that a message of a plan moves.
constexpr std::uint32_t packet_of(const Message& move) { return index(move.chunk); }

/// True if the packet is at its destination before it moves: the move starts and ends at the same
/// node, which receives at the router where it sends. A node of a butterfly receives at another
/// router, so there every packet crosses the network.
bool is_there(const Topology& topology, const Message& move);

/// The phases without packets that are already at their destination; phases may become empty.
Schedule without_those_there(const Topology& topology, const Schedule& phases);

/// The paths that a routing takes, as sequences of channels of the topology.
class MovePaths {
 public:
  /// The random choices and tie bits of a path are drawn from the seed and the number of the
  /// packet. `topology` and `routing` must outlive the paths.
  /// @param choices  MovePlan::choices.
  MovePaths(const Topology& topology, const Routing& routing, std::uint64_t seed,
            std::vector<std::uint16_t> choices = {})
      : topology_(topology),
        adjacency_(topology),
        routing_(routing),
        seed_(seed),
        choices_(std::move(choices)) {}

  /// Flit::ties of a packet.
  std::uint8_t ties(std::uint32_t packet) const;
  /// Flit::route_field of the packet that moves.
  std::uint16_t route_field(const Message& move) const;
  /// Appends the channels between routers that a move takes; throws std::invalid_argument if the
  /// routing does not reach the destination.
  void append(const Message& move, std::vector<std::uint32_t>& channels);
  /// The fewest virtual channels that any hop so far could choose among.
  std::size_t fewest_vcs() const { return fewest_vcs_; }

  const Topology& topology() const { return topology_; }

 private:
  const Topology& topology_;
  const Adjacency adjacency_;
  const Routing& routing_;
  const std::uint64_t seed_;
  const std::vector<std::uint16_t> choices_;
  std::size_t fewest_vcs_ = kMaxVirtualChannels;
};

/// The largest values that the step machine measures in a phase, or in any phase.
struct StepPeaks {
  std::size_t congestion = 0;  ///< C: the most packets whose paths share a channel.
  std::size_t longest_path = 0;
  /// Q: the longest queue at the start of a step, including the packet that leaves.
  std::size_t max_queue = 0;
  /// H: the most packets in the queues of a router at the start of a step, without those that
  /// leave.
  std::size_t max_held = 0;
  std::size_t max_stored = 0;  ///< The most packets that came by one channel and wait behind it.
};

/// The measurements of the step machine in a phase.
struct PhaseOutcome : StepPeaks {
  std::size_t steps = 0;  ///< T: the step in which the last packet arrives.
  /// By move: the step of arrival minus the length of the path.
  std::vector<std::uint32_t> delays;

  /// A lower bound on the steps of every queue order on these paths.
  std::size_t lower_bound() const { return congestion > longest_path ? congestion : longest_path; }
};

/// The synchronous store-and-forward machine: in a step every channel carries at most one packet,
/// a node has a queue for each of its channels, and every queue that is not empty sends the packet
/// with the smallest (rank, step of joining, number). A packet that is_there() has arrived before
/// the first step. Time: the sum over all hops of the logarithm of the queue's length.
///
/// Source: CS838 lecture notes (1999), section 9; Leighton, "Introduction to Parallel Algorithms
/// and Architectures", 1992, section 1.7.
class StepMachine {
 public:
  /// `paths` and `priority` must outlive the machine.
  StepMachine(MovePaths& paths, const QueuePriority& priority)
      : paths_(paths), priority_(priority) {}

  PhaseOutcome run(const Messages& phase);

  /// The channels of move m in the last run are channel(first(m)) ... channel(first(m + 1) - 1).
  std::size_t first(std::size_t move) const { return first_[move]; }
  std::uint32_t channel(std::size_t place) const { return channels_[place]; }

 private:
  struct Waiting {
    std::uint32_t rank = 0;
    std::uint32_t joined = 0;  // The step in which it joined the queue.
    std::uint32_t packet = 0;
    std::uint32_t move = 0;
    std::uint32_t place = 0;  // The index in channels_ of the channel that it waits for.
  };

  void find_paths(const Messages& phase, PhaseOutcome& outcome);
  void join(const Messages& phase, std::uint32_t move, std::uint32_t place, std::uint32_t step);
  void measure_queues(PhaseOutcome& outcome);
  void send_heads();
  void arrive(const Messages& phase, std::uint32_t step, PhaseOutcome& outcome);

  MovePaths& paths_;
  const QueuePriority& priority_;
  std::vector<std::uint32_t> channels_;
  std::vector<std::size_t> first_;
  std::vector<std::vector<Waiting>> queues_;  // By channel: its queue, a heap.
  std::vector<std::uint32_t> active_;         // The channels whose queues are not empty.
  std::vector<Waiting> sent_;                 // The packets sent in this step.
  std::vector<std::size_t> held_;             // By router: the packets that it holds in this step.
  std::vector<std::uint32_t> stored_;         // By channel: the packets that came by it and wait.
};

/// The delay theorem, checked on a phase: no packet is delayed by more steps than the number of
/// other packets that share a channel with its path, whatever the order of the queues.
///
/// It holds where paths are fixed, paths that separate never meet again, and no channel idles while
/// a packet waits for it. The routing guarantees the first condition and the machine the last; the
/// second is checked here. Source: Leighton (1992), section 3.4; the lag argument.
struct DelayTheorem {
  bool checked = true;         ///< False: there are too many pairs of packets to check.
  bool applies = true;         ///< Paths that separate never meet again.
  std::size_t violations = 0;  ///< The packets delayed by more steps than the theorem allows.
  /// The most other packets that share a channel with one packet.
  std::size_t greatest_sharing = 0;
  /// By move of one phase: the other packets that share a channel with it; empty if not checked.
  std::vector<std::size_t> sharing{};
};
DelayTheorem check_delay_theorem(const StepMachine& machine, const PhaseOutcome& outcome);

/// The results of the step machine for all phases; the peaks are those of the worst phases.
struct StepFigures : StepPeaks {
  std::size_t steps = 0;                   ///< T: the sum of phase_steps.
  std::size_t longest_phase = 0;           ///< The largest of phase_steps.
  std::vector<std::size_t> phase_steps;    ///< By phase: steps, at least those reserved.
  std::vector<std::size_t> arrival_steps;  ///< By phase: steps until the last arrival.
  std::size_t max_delay = 0;               ///< The longest delay of a packet in a phase.
  std::size_t lower_bound = 0;        ///< The sum of PhaseOutcome::lower_bound() over the phases.
  std::vector<std::uint64_t> delays;  ///< By number of steps: packets with that delay in a phase.
  std::size_t fewest_vcs = 0;         ///< MovePaths::fewest_vcs().
  DelayTheorem theorem;

  /// Adds a phase, but for the delay theorem.
  /// @param reserved  MovePlan::reserved().
  void add(std::size_t reserved, const PhaseOutcome& outcome);
  double mean_delay() const;
  /// The share of delays of at least `least` steps.
  double share_of_delays(std::size_t least) const;
};

}  // namespace flitcast
