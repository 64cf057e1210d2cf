// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/strategy.h"

namespace flitcast::clos {

/// Bit operations of the passes that found this route, 0 if blocked: the sum over passes of
/// candidates times output switches not served yet. With c candidates, no output switch of the
/// request in more than n2 - 1 of their destination sets, and q = c / (n2 - 1) > 1, at most
/// c r' q / (q - 1), linear in candidates and fan-out r' (derived: the least residual is at most
/// the mean, and the mean is at most 1 / q of the rest).
std::uint64_t linear_work(const SelectionRequest& request, const Selection& selection);

}  // namespace flitcast::clos
