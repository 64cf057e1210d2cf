// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds m_thm3, m_cor1, m_asym, m_refined, m_multirate, m_multirate_asym.
Verdict clos_bound_row(const Row& row, Level level);

}  // namespace flitcast::conformance
