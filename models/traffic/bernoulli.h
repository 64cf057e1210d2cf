// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "traffic/geometric.h"
#include "traffic/injection.h"

namespace flitcast {

/// A packet in every cycle with the same probability, independent of all other cycles: gaps are
/// geometric. Keeps no state.
class Bernoulli : public Injection {
 public:
  /// @param probability  Of a packet in a cycle, 0 (no packets at all) to 1 (one in every cycle);
  ///                     anything else throws std::invalid_argument.
  explicit Bernoulli(double probability);

  State start(Random&) const override { return 0; }
  std::uint64_t gap(State& state, Random& random) const override;

 private:
  std::optional<Geometric> idle_;  ///< Cycles without a packet; absent when none ever comes.
};

}  // namespace flitcast
