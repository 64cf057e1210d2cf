// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of category `collective`: an algorithm between p ranks by its name in the table, with the
/// metrics `rounds`, `serial_blocks` and `total_blocks`. The schedule must be legal and what it
/// claims, besides. "bcast_pipelined S=4" is a chain of 4 segments; without a number of 8.
Verdict rank_row(const Row& row, Level);

/// A row of category `collective_time_Q`: its time on a hypercube where rank = address, by the
/// formula of the specification, section 1.2, with blocks of so many flits; the messages of a
/// barrier, too, have a block. On the network level it is played besides, where it must take the
/// analytic time of the messages that it has there (of a barrier 1 flit), and everyone must end
/// with the right bytes; messages longer than any packet are not played.
Verdict rank_time_row(const Row& row, Level level);

}  // namespace flitcast::conformance
