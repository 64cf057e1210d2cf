// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/param.h"

namespace flitcast {

/// The keys of a workload of kind `collective`.
std::vector<Param> collective_params();

}  // namespace flitcast
