// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// A network of routers with buffers as a SystemC module: Fabric, with a clock, a reset and a
/// Terminal for each node, by which other modules send and receive packets; StreamTerminal, which
/// is AXI4-Stream at a node; views of its parts; all topologies and routings to build it of.
/// Component `fabric`.
#include "flitcast/routing.h"
#include "flitcast/topology.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "network/fabric/stream_terminal.h"
#include "network/fabric/terminal.h"
#include "network/fabric/views.h"
#include "network/network_counts.h"
