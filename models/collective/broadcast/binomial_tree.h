// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/hypercube.h"

namespace flitcast {

/// One-to-all broadcast along the spanning binomial tree of the n-cube, store-and-forward.
///
/// With the dimensions in an order o_1 .. o_n, a node that was reached across o_i forwards across
/// o_(i+1) .. o_n, and the source across all. In this order, one a round, it makes the one-port
/// schedule, where round i informs 2^(i-1) nodes across o_i; all in the round after the receipt,
/// the all-port schedule, where round i informs C(n,i) nodes.
///
/// Cost: n rounds and 2^n - 1 sends in both port models; all minimal.
///
/// @param ports  1 or kAllPorts; anything else throws PreconditionError, as does a source that is
///   not a node.
/// @param order  The dimensions 0 .. n - 1, each once, else std::invalid_argument; empty stands for
///   ascending.
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast",
/// Hypercube.
Plan binomial_broadcast(const Hypercube& cube, NodeId source, unsigned ports,
                        const std::vector<std::size_t>& order = {});

}  // namespace flitcast
