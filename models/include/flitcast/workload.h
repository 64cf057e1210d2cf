// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// The catalog workloads() and what a workload of one's own needs: Workload, which says what the
/// nodes of an experiment send, and the figures that it adds to a result. Component `program`.
#include "base/figures.h"
#include "sim/experiment/workload.h"
