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

/// Its figures. Plain data, because it may come from a child process.
struct PermutationPlayed {
  static constexpr std::size_t kMostPhases = 3;
  std::size_t steps = 0;  ///< T.
  /// Steps of all phases except the last three.
  std::size_t sorting_steps = 0;
  std::array<std::size_t, kMostPhases> phase_steps{};  ///< Of the first phases.
  std::size_t phases = 0;
  std::size_t max_queue = 0;  ///< Q.
  std::size_t max_held = 0;   ///< H.
  std::size_t congestion =
      0;                  ///< C, of the worst phase on paper, of the first of a single one else.
  std::size_t bound = 0;  ///< Upper bound on steps by the algorithm, 0 for none.
  bool agrees = true;     ///< Result of the network's comparison with the step machine.
};

/// Plays on the step machine. Throws std::invalid_argument if it cannot be made.
PermutationPlayed play_on_paper(const PermutationToPlay& what);

/// Plays on the cycle-accurate network of store-and-forward routers with space for all queues, in a
/// child process; all figures are measured there.
PermutationPlayed play_on_network(const PermutationToPlay& what);

/// Mean of T over `count` repetitions with fresh seeds, on the step machine.
double mean_steps(const PermutationToPlay& what, std::size_t runs);

}  // namespace flitcast::conformance
