// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// All routing algorithms, and what an algorithm of one's own needs: the base class Routing, the
/// catalog routings() that it can be added to, and the analyses of deadlock and of channel loads
/// that `flitcast check` runs. MessageClasses gives the classes of messages virtual channels of
/// their own; the priorities of queues in store-and-forward routers have a catalog, too.
/// Component `fabric`; make_routing(), which reads a section, takes component `tlm` or `program`.
#include "routing/analysis/channel_loads.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/concentrated_routing.h"
#include "routing/dimension_order.h"
#include "routing/dragonfly_routing.h"
#include "routing/e_cube.h"
#include "routing/forwarding_table.h"
#include "routing/hierarchical.h"
#include "routing/message_classes.h"
#include "routing/minimal_adaptive.h"
#include "routing/multicast/hamiltonian_paths.h"
#include "routing/multicast/xy_multicast.h"
#include "routing/multistage_routing.h"
#include "routing/o1turn.h"
#include "routing/queue_priority.h"
#include "routing/routing_table.h"
#include "routing/shortest_path.h"
#include "routing/tree_ascent.h"
#include "routing/turn_model.h"
#include "routing/two_phase.h"
#include "routing/ugal.h"
