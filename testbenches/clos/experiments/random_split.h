// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Routes half of the requests badly: split at random over up to x middle switches. The others, and
/// those for which a few splits do not fit, go to another strategy.
///
/// A nonblocking theorem presumes only that each live connection uses at most x middle switches.
/// Good strategies nearly always take one; this background takes as many as are allowed.
class RandomSplit : public Strategy {
 public:
  /// @param most_middles  x, at least 1; anything else throws std::invalid_argument.
  RandomSplit(std::unique_ptr<Strategy> other, std::size_t most_middles, std::uint64_t seed);

  void select(const SelectionRequest& request, Selection& selection) override;

  /// Requests that were split at random.
  std::uint64_t split_count() const { return split_count_; }

 private:
  bool split(const SelectionRequest& request, Selection& selection);
  std::size_t below(std::size_t bound);

  std::unique_ptr<Strategy> other_;
  std::size_t most_middles_;
  Random random_;
  std::uint64_t split_count_ = 0;
  std::vector<std::uint32_t> middles_;  // The candidates; those of the split come first.
  // Positions in middles_ whose middle switch reaches the current k.
  std::vector<std::size_t> usable_;
  std::vector<BitSet> served_;  // Served sets, by position in middles_.
};

}  // namespace flitcast::clos
