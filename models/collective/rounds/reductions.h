// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"

namespace flitcast {

// Combinations that all nodes get. Contributions may be of any kind with an associative and
// commutative sum; of a scan the sums are in the order of the nodes, so associative is enough.

/// A reduction to the source, and one multicast of the result: ceil(log2 N) + 1 rounds, N messages.
/// All-reduce and barrier.
RoundPlan reduce_and_multicast(const RoundDemand& demand);

/// In round d every node q exchanges what it has with node q xor 2^d: log2 N rounds,
/// N log2 N messages. All-reduce.
/// Throws PreconditionError unless N is a power of two: others would count contributions twice.
RoundPlan recursive_doubling_rounds(const RoundDemand& demand);

/// In round d every node q tells node q + 2^d (mod N) who has come: ceil(log2 N) rounds for every
/// N, N ceil(log2 N) messages. Barrier; a sum would count some contributions twice.
/// Source: D. Hensgen, R. Finkel and U. Manber, "Two algorithms for barrier synchronization",
/// International Journal of Parallel Programming 17 (1988).
RoundPlan dissemination(const RoundDemand& demand);

/// In round d every node q with q + 2^d < N tells node q + 2^d its sum, of the nodes
/// q - 2^d + 1 .. q: ceil(log2 N) rounds, N D - (2^D - 1) messages for D rounds.
/// Source: W. D. Hillis and G. L. Steele, "Data parallel algorithms", Communications of the ACM 29
/// (1986).
RoundPlan doubling_scan(const RoundDemand& demand);

}  // namespace flitcast
