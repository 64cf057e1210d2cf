// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds m_thm3, m_cor1, m_asym, m_refined, m_multirate and
/// m_multirate_asym: middle switches m that suffice, and the pass limit x that attains them.
/// m_refined adds snb, the bound of strict sense, and n2, n squared; m_multirate adds unicast. All
/// levels give the same result, since a bound has no notion of time.
Verdict clos_bound_row(const Row& row, Level level);

}  // namespace flitcast::conformance
