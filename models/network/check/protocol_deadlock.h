// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "network/network_params.h"
#include "routing/routing.h"

namespace flitcast {

/// Message classes whose packets can wait for each other at the nodes: those of each class for
/// places that replies give back, which wait behind packets of the next in the same virtual
/// channels, and those of the last behind the first; empty if there is no such cycle.
///
/// Where each class by itself is free of deadlock, so is a network without a cycle. With one, if
/// every node sends to every other, requests to two nodes and the replies of these fill the way of
/// each other. Nodes without reply queues take all that comes, so that there is none.
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004), chapter
/// 14 (protocol deadlock).
std::vector<std::size_t> protocol_deadlock(const Routing& routing, const NetworkParams& params);

}  // namespace flitcast
