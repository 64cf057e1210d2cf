// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// The key `consumption` of routings by which worms leave copies at nodes, and what it says.
Param consumption_param();
bool splits_consumption(const Section& section);

/// True if it is a mesh of one or two dimensions.
bool is_row_of_columns(const Topology& topology);

}  // namespace flitcast
