// SPDX-License-Identifier: Apache-2.0
#include "collective/step_machine.h"

#include <stdexcept>

namespace flitcast {}  // namespace flitcast
