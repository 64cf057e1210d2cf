// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// Category `fattree_dmodk`: packets on the busiest links of a "4-ary 2-tree" under D-mod-k, for
/// "all shifts i->i+s" (metric "max link load") and for "perm(seed=92)" ("up;down load": towards
/// the roots and towards the nodes). All levels give the same result, which depends only on the
/// routes.
Verdict fat_tree_row(const Row& row, Level level);

}  // namespace flitcast::conformance
