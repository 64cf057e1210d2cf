// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Declares and reads the key `consumption` of routings whose worms leave copies at nodes.
Param consumption_param();
bool splits_consumption(const Section& section);

/// True for a mesh of one or two dimensions.
bool is_row_of_columns(const Topology& topology);

}  // namespace flitcast
