// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/random.h"
#include "clos/strategies/ordered_fit.h"

namespace flitcast::clos {

/// RND: the candidates shuffled anew for every request (Fisher and Yates, the last place first).
class RandomFit : public OrderedFit {
 public:
  /// @param seed  The experiment's; the shuffles draw from a sequence of their own.
  RandomFit(std::size_t output_switches, std::size_t pass_limit, std::uint64_t seed)
      : OrderedFit(output_switches, pass_limit), random_(seed ^ 0x5555) {}

 protected:
  void arrange(const BitMatrix& busy, std::vector<std::uint32_t>& candidates) override;

 private:
  Random random_;
};

}  // namespace flitcast::clos
