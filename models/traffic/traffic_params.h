// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/param.h"

namespace flitcast {

/// The keys of a workload of kind `traffic`, apart from `kind`; those of a pattern or an injection
/// process apply while it is chosen.
std::vector<Param> traffic_params();

/// Those of a workload of kind `clos_requests`.
std::vector<Param> multicast_traffic_params();

}  // namespace flitcast
