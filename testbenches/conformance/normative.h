// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace flitcast::conformance {

/// What a row of the broadcast-and-gossip table demands, as its column `normative` says.
struct Norm {
  enum class Rounds {
    kFree,        ///< Any number.
    kEqual,       ///< As in the column: "rounds" or "rounds=".
    kAtMost,      ///< Fewer are welcome: "rounds<=".
    kAboveBound,  ///< At most `above_bound` more than the lower bound: "rounds<=lb+5".
  };

  Rounds rounds = Rounds::kFree;
  std::size_t above_bound = 0;
  bool transmissions = false;
  bool duplicates = false;
  bool new_per_round = false;
  bool longest_paths = false;
  bool rejected = false;  ///< The instance must be refused with a reason; nothing else matters.
};

/// Reads a list such as "rounds<=,tx,dup"; std::invalid_argument for words that it cannot hold.
Norm read_norm(const std::string& normative);

}  // namespace flitcast::conformance
