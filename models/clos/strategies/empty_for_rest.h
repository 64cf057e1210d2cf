// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/bit_set.h"
#include "clos/strategies/remainder.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// S3r: S1 over the nonempty candidates until none serves any of the rest; the lowest empty one
/// serves what is left. Unlike S3 it keeps what the nonempty ones serve.
///
/// Theorem 3 does not cover it: no limit on the middle switches of a connection follows (derived).
/// Source: CS838 lecture notes (1999), Strategy 3, which does not say whether the nonempty middle
/// switches still serve a part when they cannot serve all.
class EmptyForRest : public Strategy {
 public:
  /// @param middle_switches  m.
  /// @param output_switches  r2.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  EmptyForRest(std::size_t middle_switches, std::size_t output_switches, std::size_t pass_limit)
      : pass_limit_(pass_limit),
        nonempty_(middle_switches),
        empty_(middle_switches),
        rest_(output_switches) {}

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  std::size_t pass_limit_;
  BitSet nonempty_;
  BitSet empty_;
  Remainder rest_;
};

}  // namespace flitcast::clos
