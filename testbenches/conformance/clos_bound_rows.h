// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds m_thm3, m_cor1, m_asym, m_refined, m_multirate and
/// m_multirate_asym: middle switches m that suffice, and the pass limit x that attains them. With
/// m_refined also snb, the bound of strict sense, and n2, n squared; with m_multirate also unicast.
/// The same on every level: a bound has no notion of time.
Verdict clos_bound_row(const Row& row, Level level);

}  // namespace flitcast::conformance
