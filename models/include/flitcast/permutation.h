// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Permutation routing: the catalogs of instances and of algorithms that route them, which others
/// can be added to, and the step machine that counts their steps and queues. Component `program`.
#include "permutation/algorithm.h"
#include "permutation/instance.h"
#include "permutation/step_machine.h"
