// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace flitcast::conformance {

/// The requirements of a row of the broadcast-and-gossip table, from its column `normative`.
struct Norm {
  enum class Rounds {
    kFree,        ///< Any number is allowed.
    kEqual,       ///< The number is that of the column: "rounds" or "rounds=".
    kAtMost,      ///< Fewer are allowed: "rounds<=".
    kAboveBound,  ///< At most `above_bound` more than the lower bound: "rounds<=lb+5".
  };

  Rounds rounds = Rounds::kFree;
  std::size_t above_bound = 0;
  bool transmissions = false;
  bool duplicates = false;
  bool new_per_round = false;
  bool longest_paths = false;
  /// The instance must be refused with a reason; the other columns are ignored.
  bool rejected = false;
};

/// Reads a list such as "rounds<=,tx,dup"; throws std::invalid_argument for unknown words.
Norm read_norm(const std::string& normative);

}  // namespace flitcast::conformance
