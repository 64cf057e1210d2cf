// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of the kind crosspoints: "N=64 k=2 rule=thm3 n|N" asks for C, the fewest
/// crosspoints of a (2k + 1)-stage network by that rule, and its plan, "(16,4,61) (2,2,4)". "n|N"
/// states that n divides N, which always holds. All levels give the same result.
Verdict clos_crosspoint_row(const Row& row, Level level);

}  // namespace flitcast::conformance
