// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// The catalog routers() and what a kind of router of one's own needs: RouterEntry, which makes the
/// network for a configuration, and fabric_entry() for routers that are cores of a Fabric.
/// Component `program`.
#include "network/fabric/fabric.h"
#include "network/network_params.h"
#include "network/router_entry.h"
