// SPDX-License-Identifier: Apache-2.0
#include "collective/cost_model.h"

#include <stdexcept>

namespace flitcast {}  // namespace flitcast
