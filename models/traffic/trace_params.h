// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/param.h"

namespace flitcast {

/// The keys of a workload of kind `trace`, apart from `kind`; those of a format apply while it is
/// chosen.
std::vector<Param> trace_params();

}  // namespace flitcast
