// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "verify_controller/dut.h"
#include "verify_controller/fault.h"
#include "verify_controller/golden.h"

namespace flitcast::verify {

/// True if a visible beat equals the beat of the pass. Middle switch and set of a failing beat are
/// ignored.
bool equal(const Outputs& seen, const clos::Beat& beat);

/// "middle 1, set 3'b011, last".
std::string to_text(const Outputs& seen);
std::string to_text(const clos::Beat& beat);

/// Names the mistake in a beat that differs from that of due.front(); the other passes in `due` are
/// those that should follow.
Fault diagnose(const Outputs& seen, const std::deque<Pass>& due);

}  // namespace flitcast::verify
