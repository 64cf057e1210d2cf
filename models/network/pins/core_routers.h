// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/pins/core_router.h"
#include "router/adaptive_core.h"
#include "router/multicast_core.h"
#include "router/store_forward_core.h"
#include "router/wormhole_core.h"

namespace flitcast::pins {

extern template class CoreRouter<WormholeCore<1>>;
extern template class CoreRouter<WormholeCore<2>>;
extern template class CoreRouter<AdaptiveCore<1>>;
extern template class CoreRouter<AdaptiveCore<2>>;
extern template class CoreRouter<MulticastCore<1>>;
extern template class CoreRouter<MulticastCore<2>>;
extern template class CoreRouter<StoreForwardCore<1>>;
extern template class CoreRouter<StoreForwardCore<2>>;

/// The wormhole core, which also does virtual cut-through, behind pins. A credit stands for a flit.
using WormholeRouter = CoreRouter<WormholeCore<1>>;

/// The core whose packets choose among several outputs, behind pins; Routing::alternatives() offers
/// them. A credit stands for a flit.
using AdaptiveRouter = CoreRouter<AdaptiveCore<1>>;

/// The core that copies packets to several outputs, behind pins; Routing::branches() decides. A
/// credit stands for a flit, and goes back when the last copy of the flit is granted.
using MulticastRouter = CoreRouter<MulticastCore<1>>;

/// The core that keeps packets whole, behind pins; Routing::branches() decides.
///
/// Credits count packets: out_credit_* gives back a place for a packet of any length, and
/// in_credit_* goes out with the tail's last copy, or later where packets of several VCs of a port
/// finish in one cycle, for the wires carry one credit. The packet that has a credit comes as one
/// flit per cycle at most, without another packet of its VC in between.
///
/// A queue is ordered by (rank, cycle of joining, packet number), as in the fabric.
/// Place::packet_id tells the packet's number there; without it the number on the wires decides
/// between packets of equal rank that join in the same cycle, and only between those: the queues
/// then differ from the fabric's at most by exchanging such packets.
using StoreForwardRouter = CoreRouter<StoreForwardCore<1>>;

}  // namespace flitcast::pins
