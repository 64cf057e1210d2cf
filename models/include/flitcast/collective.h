// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Collective operations: the catalog collectives() of algorithms, which an algorithm of one's own
/// can be added to; schedules of messages, what an operation demands, the cost model and the
/// verification of a schedule; arithmetic of vectors. Component `program`.
#include "collective/arithmetic.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/demand.h"
#include "collective/hamiltonian_cycles.h"
#include "collective/schedule.h"
#include "collective/verification.h"
