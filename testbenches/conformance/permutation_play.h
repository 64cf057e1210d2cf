// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "conformance/permutation_instance.h"

namespace flitcast::conformance {

/// A permutation workload on a network of the rows.
struct PermutationToPlay {
  PermutationNetwork network;
  std::string workload;  ///< "permutation: transpose, algorithm: bit_fixing".
};

/// The figures of a run as plain data, because they may come from a child process.
struct PermutationPlayed {
  static constexpr std::size_t kMostPhases = 3;
  std::size_t steps = 0;  ///< T.
  /// Steps of all phases except the last three.
  std::size_t sorting_steps = 0;
  std::array<std::size_t, kMostPhases> phase_steps{};  ///< Steps of the first phases.
  std::size_t phases = 0;
  std::size_t max_queue = 0;  ///< Q.
  std::size_t max_held = 0;   ///< H.
  /// C: on the step machine for the worst phase, on the network for the first phase of a single
  /// one.
  std::size_t congestion = 0;
  std::size_t bound = 0;  ///< Upper bound on steps by the algorithm; 0 if there is none.
  bool agrees = true;     ///< True if the network agrees with the step machine.
};

/// Plays on the step machine.
/// Throws std::invalid_argument if the workload cannot be made.
PermutationPlayed play_on_paper(const PermutationToPlay& what);

/// Plays on the cycle-accurate network of store-and-forward routers with space for all queues, in a
/// child process, where all figures are measured.
PermutationPlayed play_on_network(const PermutationToPlay& what);

/// Mean of T over `count` repetitions with fresh seeds, on the step machine.
double mean_steps(const PermutationToPlay& what, std::size_t runs);

}  // namespace flitcast::conformance
