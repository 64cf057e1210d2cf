// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "clos/controllers/controller.h"

namespace flitcast::verify {

/// The clocks of a pass that a designer claims, as a formula or as the name of a design:
///
///   seq_adder       the name of one of clos::controllers()
///   seq_adder_4     that design with 4 RowsPerClock
///   m*(r + 1) + 1   +, -, *, /, parentheses, whole numbers; m, r, and x, the pass limit
///   2*clog2(m)      clog2(n): bits that number n items, as $clog2
///
/// Throws std::invalid_argument, with a message for the user, for any other text and for a result
/// below one clock.
std::uint64_t pass_clocks_of(const std::string& claim, const clos::ControllerParams& params);

}  // namespace flitcast::verify
