// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/section.h"
#include "permutation/algorithm.h"
#include "permutation/step_machine.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// What a permutation workload is made for.
struct PermutationContext {
  const Topology& topology;  ///< Must outlive what is made.
  const Section& workload;
  std::uint64_t seed = 1;                    ///< Of the experiment: for coins and random queues.
  std::shared_ptr<const Routing> routing{};  ///< Which way packets take in each phase.
  /// The queues of the routers, if the user has chosen them; empty: as the algorithm wants.
  std::string router_priority{};
  std::uint64_t run = 0;  ///< Repetitions are numbered from 0.
};

/// Packets, and the way that an algorithm takes them: the same for the step machine and for a
/// network.
struct PermutationRoute {
  Instance packets;
  std::vector<MovePhase> phases;
  std::shared_ptr<const Routing> routing;
  std::string discipline;  ///< The name of the order of queues,
  std::shared_ptr<const QueuePriority> priority;
  std::vector<PermutationClaim> claims;

  /// Most packets that a node sends at the start of a phase, and that one receives in a phase.
  std::size_t most_sent_at_once(const Topology& topology) const;
  std::size_t most_received(const Topology& topology) const;
};

/// Makes what the workload section describes; throws ConfigError with every problem.
PermutationRoute make_route(const PermutationContext& context);

/// The keys of the section besides `kind`.
std::vector<Param> permutation_params();

/// What the step machine says of all phases together.
struct StepFigures {
  std::size_t steps = 0;  ///< T: the sum over phases, each with the steps that it reserves.
  std::vector<std::size_t> phase_steps;
  std::vector<std::size_t> arrival_steps;  ///< Of every phase, without what it reserves.
  std::size_t congestion = 0;              ///< C: of the worst phase, like the next five.
  std::size_t max_queue = 0;               ///< Q, and
  std::size_t max_held = 0;                ///< H.
  std::size_t max_stored = 0;              ///< PhaseOutcome::max_stored.
  std::size_t longest_path = 0;
  std::size_t max_delay = 0;
  std::size_t lower_bound = 0;        ///< The sum over phases.
  std::vector<std::uint64_t> delays;  ///< Per number of steps: packets with that delay in a phase.
  std::size_t fewest_vcs = 0;         ///< That any hop could choose among.
  DelayTheorem theorem;

  double mean_delay() const;
  /// Share of delays of at least so many steps.
  double share_of_delays(std::size_t least) const;
  /// What the claim is about.
  std::size_t value_of(PermutationClaim::About about) const;
};

/// Plays the route on the step machine. Throws std::logic_error if the delay theorem applies and is
/// violated, or a claim that is proved.
StepFigures play_on_steps(const Topology& topology, const PermutationRoute& route,
                          std::uint64_t seed);

/// How often a claim failed in repeated runs, and what that says at a confidence of 95 %.
struct ClaimStatistics {
  PermutationClaim claim;
  std::size_t exceeded = 0;
  double upper_limit = 1;  ///< One-sided limit on the probability, of Clopper and Pearson.
};

/// A mean and half of its 95 % interval.
struct MeanOfRuns {
  double mean = 0;
  double half_width = 0;
};

/// Runs with fresh seeds.
struct RepeatedFigures {
  std::size_t runs = 0;
  MeanOfRuns steps;
  MeanOfRuns max_queue;
  std::size_t most_steps = 0;
  std::size_t longest_queue = 0;
  std::size_t longest_delay = 0;
  std::vector<ClaimStatistics> claims;
};

/// Repetitions first, first + 1, ... of the context's workload.
RepeatedFigures repeat_on_steps(PermutationContext context, std::size_t runs);

/// The probability that is exceeded with 5 % chance only when `events` of `runs` trials were one:
/// 1 - 0.05^(1/runs) for none. Source: Clopper and Pearson, Biometrika 26, 1934.
double clopper_pearson_limit(std::size_t events, std::size_t runs);

}  // namespace flitcast
