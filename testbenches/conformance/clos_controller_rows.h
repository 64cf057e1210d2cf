// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of the kind controller: selection, passes, and clocks of the four
/// designs SC, SA, PC and PA. The clocks and the selection are those of the models, clocked, or at
/// level rtl of the Verilated RTL, which has more designs; the selection must also be that of
/// strategy S1.
Verdict clos_controller_row(const Row& row, Level level);

}  // namespace flitcast::conformance
