// SPDX-License-Identifier: Apache-2.0
#include "collective/lower_bounds.h"

#include <stdexcept>

namespace flitcast {}  // namespace flitcast
