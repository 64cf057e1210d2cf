// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/check.h"

namespace flitcast::conformance {

/// A network in the notation of the rows on permutations: Q6; BF6, whose 64 rows are the terminals
/// of an instance; M(8), M(4,6) with 4 rows and 6 columns, or M(rows=4,cols=6), M(4,4,4).
struct PermutationNetwork {
  enum class Family { kCube, kButterfly, kMesh };
  Family family = Family::kMesh;
  std::size_t dimension = 0;         ///< The dimension of a cube or a butterfly.
  std::vector<std::size_t> sizes{};  ///< The sizes of a mesh, dimension 0 first.

  /// Throws std::invalid_argument for other text.
  static PermutationNetwork of(const std::string& text);

  /// The sections of a configuration.
  std::string topology_text() const;
  std::string routing_text() const;
  /// The algorithm that sends packets directly.
  std::string at_once() const;
  std::size_t columns() const { return sizes[0]; }
  std::size_t rows() const { return sizes.size() > 1 ? sizes[1] : 1; }
};

/// An instance in the notation of the rows, converted to workload.permutation: transpose, bitrev,
/// perm(seed=1), func(1), WB(8), B3(4), "K=12 packets, seed=5, draw src then dst".
/// Throws std::invalid_argument for other text.
std::string instance_text(const std::string& text);

/// The seed in "perm(seed=1)" or "perm(1)"; throws std::invalid_argument for other text.
std::size_t seed_in(const std::string& text, const std::string& function);

}  // namespace flitcast::conformance
