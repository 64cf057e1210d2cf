// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Multicast connections in Clos networks: the bounds on middle switches, designs by crosspoints,
/// the catalogs of strategies and controllers, which others can be added to, and the control of a
/// network's connections, stage by stage. Component `program`.
#include "clos/bounds/bounds.h"
#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/controllers/controller.h"
#include "clos/multistage_admission.h"
#include "clos/network_state.h"
#include "clos/strategy.h"
#include "clos/traffic.h"
#include "topology/clos_structure.h"
