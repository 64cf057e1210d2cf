// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of kind `lemma1` of the Clos table: sets I and M that must satisfy the conditions of Lemma
/// 1, and the outcome if they are requested, "S1 and S2: M_j alone on middle j; I_1..I_3 use 2
/// each; I_4 blocked". All levels give the same result.
Verdict clos_lemma1_row(const Row& row, Level level);

}  // namespace flitcast::conformance
