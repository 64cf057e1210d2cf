// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Packets to feed a network with: the catalogs of spatial patterns, of injection processes and of
/// trace formats, which others can be added to; sources of random packets, of classes of packets
/// and of recorded traces. Component `program`.
#include "traffic/closed_loop.h"
#include "traffic/injection.h"
#include "traffic/load.h"
#include "traffic/pattern.h"
#include "traffic/random_traffic.h"
#include "traffic/trace.h"
#include "traffic/trace_builder.h"
#include "traffic/trace_source.h"
#include "traffic/traffic_classes.h"
