// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bit_set.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// SPREAD: many middle switches, to see how bad a legal strategy can be. Each output switch, in
/// rising order, goes to the lowest candidate with a free link to it that the request does not use
/// yet, else to the lowest one that it uses.
///
/// With a pass limit only the middle switches in use count once there are so many; a request may
/// then be blocked although a route within the limit exists.
/// Time: O(r' * candidates).
class Spread : public Strategy {
 public:
  /// @param middle_switches  m.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  Spread(std::size_t middle_switches, std::size_t pass_limit)
      : pass_limit_(pass_limit), used_(middle_switches), unused_(middle_switches) {}

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  bool serve(std::size_t output_switch, const BitMatrix& busy, Selection& selection);

  std::size_t pass_limit_;
  BitSet used_;    // Candidates in the route.
  BitSet unused_;  // Other candidates.
};

}  // namespace flitcast::clos
