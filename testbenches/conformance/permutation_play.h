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

/// What became of it. Plain data, since it may come from a child process.
struct PermutationPlayed {
  static constexpr std::size_t kMostPhases = 3;
  std::size_t steps = 0;                               ///< T.
  std::size_t sorting_steps = 0;                       ///< Of all phases but the last three.
  std::array<std::size_t, kMostPhases> phase_steps{};  ///< Of the first phases.
  std::size_t phases = 0;
  std::size_t max_queue = 0;  ///< Q.
  std::size_t max_held = 0;   ///< H.
  std::size_t congestion =
      0;                  ///< C, of the worst phase on paper, of the first of a single one else.
  std::size_t bound = 0;  ///< Steps that the algorithm promises, 0 for none.
  bool agrees = true;     ///< The network's own comparison with the step machine.
};

/// On the step machine. Throws std::invalid_argument for what cannot be made.
PermutationPlayed play_on_paper(const PermutationToPlay& what);

/// On the cycle-accurate network of store-and-forward routers with space for all queues, in a child
/// process; everything is counted there.
PermutationPlayed play_on_network(const PermutationToPlay& what);

/// Mean of T over so many repetitions with fresh seeds, on the step machine.
double mean_steps(const PermutationToPlay& what, std::size_t runs);

}  // namespace flitcast::conformance
