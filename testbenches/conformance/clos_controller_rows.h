// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds controller.
Verdict clos_controller_row(const Row& row, Level level);

}  // namespace flitcast::conformance
