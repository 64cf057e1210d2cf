// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of category `collective`: an algorithm between p ranks by its name in the table, with the
/// metrics `rounds`, `serial_blocks` and `total_blocks`. The schedule must also be legal and
/// satisfy its claim. "bcast_pipelined S=4" is a chain of 4 segments; the default is 8.
Verdict rank_row(const Row& row, Level);

/// A row of category `collective_time_Q`: its time on a hypercube where rank = address, by the
/// formula of the specification, section 1.2, with blocks of that many flits; messages of a barrier
/// also have one block. On the network level it is also played: it must take the analytic time of
/// its messages there (1 flit for a barrier), and every node must end with the right bytes.
/// Messages longer than any packet are not played.
Verdict rank_time_row(const Row& row, Level level);

}  // namespace flitcast::conformance
