// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// SystemC modules with pins, to be wired by hand or beside other modules: routers, links with
/// their monitors, sources, sinks, buffers, arbiters, the controller of a Clos network, and the
/// checker of AXI4-Stream. Their ports and their timing are those of rtl/. Component `fabric`.
#include "network/pins/allocators.h"
#include "network/pins/channel.h"
#include "network/pins/clos_controller.h"
#include "network/pins/core_router.h"
#include "network/pins/crossbars.h"
#include "network/pins/flit_buffer.h"
#include "network/pins/link.h"
#include "network/pins/link_monitor.h"
#include "network/pins/node.h"
#include "network/pins/packet_ledger.h"
#include "network/pins/router.h"
#include "network/pins/stream_checker.h"
#include "network/pins/structural_network.h"
