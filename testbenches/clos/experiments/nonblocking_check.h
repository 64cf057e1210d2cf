// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "clos/connection_admission.h"
#include "clos/traffic.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Parameters of the check of a nonblocking network.
struct NonblockingCheckParams {
  std::uint64_t requests = 1'000'000;
  RequestParams traffic{};
  Candidates candidates = Candidates::kAll;
  /// Half of the requests are split at random over up to x middle switches, see RandomSplit.
  bool random_background = false;
};

struct NonblockingCheck {
  TrafficCounts counts;
  std::uint64_t background = 0;  ///< Requests that were split at random.
};

/// Sends random requests to a network under S1 with a pass limit. With m and x of Theorem 3 none is
/// blocked and no route has more than x middle switches, for any params: a request that violates
/// this refutes the theorem or the program. Checks the invariants of the state at the end. Random
/// requests block far less than the worst ones: with fewer middle switches than Theorem 3 requires,
/// no blocking proves nothing.
/// Throws std::invalid_argument for a pass limit of 0 with kFirst or a background.
NonblockingCheck check_nonblocking(const Structure& structure, std::size_t pass_limit,
                                   const NonblockingCheckParams& params);

}  // namespace flitcast::clos
