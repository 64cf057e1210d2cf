// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "collective/precondition.h"
#include "topology/grid.h"

namespace flitcast {

/// Throws PreconditionError (kTopology) unless the grid wraps in every dimension and every size is
/// 3 or more, so that the two directions of a dimension lead to different neighbours.
/// @param what  First words of the reason: "gossip on Hamiltonian cycles".
inline void require_torus(const Grid& grid, const std::string& what) {
  bool fits = true;
  std::string nearest;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    fits = fits && grid.wraps(d) && grid.size(d) >= 3;
    nearest += (d == 0 ? "" : "x") + std::to_string(std::max<std::size_t>(grid.size(d), 3));
  }
  if (fits) return;
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      what + " is defined on tori with sizes of 3 or more, not on " + grid.name(),
      "use torus " + nearest);
}

}  // namespace flitcast
