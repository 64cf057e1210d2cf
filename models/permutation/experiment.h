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

/// The experiment that a permutation workload is made for.
struct PermutationContext {
  const Topology& topology;  ///< Must outlive the result.
  const Section& workload;
  std::uint64_t seed = 1;  ///< The experiment's seed: for coins and random queues.
  std::shared_ptr<const Routing> routing{};  ///< Determines the paths in each phase.
  /// The order of the routers' queues if the user has chosen it; empty: the algorithm's order.
  std::string router_priority{};
  std::uint64_t run = 0;  ///< The repetition, counted from 0.
};

/// The packets and the phases in which an algorithm routes them, for the step machine and for a
/// network.
struct PermutationRoute {
  Instance packets;
  MovePlan plan;
  std::shared_ptr<const Routing> routing;
  std::string discipline;  ///< The name of the order of queues.
  std::shared_ptr<const QueuePriority> priority;
  std::vector<PermutationClaim> claims;

  /// The most packets of a phase that have the same node at this end: that a node sends at the
  /// start of the phase (&Message::from), or receives in it (&Message::to).
  std::size_t most_at(NodeId Message::*end, const Topology& topology) const;
};

/// Makes the route that the workload section describes; throws one ConfigError with all problems.
PermutationRoute make_route(const PermutationContext& context);

/// The keys of the section besides `kind`.
std::vector<Param> permutation_params();

/// Plays the route on the step machine. Throws std::logic_error if the delay theorem applies and is
/// violated, or if a proved claim is violated.
StepFigures play_on_steps(const Topology& topology, const PermutationRoute& route,
                          std::uint64_t seed);

/// The number of failures of a claim in repeated runs, and an upper limit on their probability.
struct ClaimStatistics {
  PermutationClaim claim;
  std::size_t exceeded = 0;  ///< The runs in which the claim failed.
  double upper_limit = 1;    ///< The result of clopper_pearson_limit() for these runs.
};

/// A figure of several runs: its largest value, and its mean with half the width of the mean's 95 %
/// confidence interval.
struct FigureOfRuns {
  double mean = 0;
  double half_width = 0;
  std::size_t most = 0;
};

/// The results of repeated runs with different seeds.
struct RepeatedFigures {
  std::size_t runs = 0;
  FigureOfRuns steps;
  FigureOfRuns max_queue;
  std::size_t longest_delay = 0;
  std::vector<ClaimStatistics> claims;
};

/// Plays `runs` repetitions of the context's workload, from context.run on.
RepeatedFigures repeat_on_steps(PermutationContext context, std::size_t runs);

/// The one-sided upper 95 % confidence limit on the probability of an event that occurred in
/// `events` of `runs` trials: 1 - 0.05^(1/runs) if it never occurred. Source: Clopper and Pearson,
/// Biometrika 26, 1934.
double clopper_pearson_limit(std::size_t events, std::size_t runs);

}  // namespace flitcast
