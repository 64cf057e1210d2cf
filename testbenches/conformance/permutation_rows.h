// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// Rows of the routing table on permutations: the figures of an algorithm on an instance (T, Q, H,
/// C), bounds over all instances of a network, and means over random ones. On the level `step` the
/// step machine computes them, on the level `network` the cycle-accurate store-and-forward network;
/// for means it only has to agree with the machine in the first few runs.
Verdict permutation_row(const Row& row, Level level);

}  // namespace flitcast::conformance
