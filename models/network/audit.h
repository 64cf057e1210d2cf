// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/inspection.h"

namespace flitcast {

/// Counts a network at rest through from end to end and throws InvariantError at the first account
/// that does not balance:
///  - packets: created = delivered + in queues and in flight, once for each receiver; when no flit
///  is
///    left, none is in flight: a multicast packet with too few copies shows then;
///  - flits: created = injected + waiting at their sources, injected + copied = ejected + buffered
///  +
///    on links;
///  - every virtual channel of every channel: credits upstream + flits on the link + occupancy
///    downstream + credits on the way back = buffer depth.
/// Packets leave and enter a router with pins through registers that cannot be seen from here: the
/// channels next to such a router, and the flits inside, are left out.
/// Runs at the end of every experiment, in release builds too. Time: one visit to every VC.
void audit(const Inspection& network);

}  // namespace flitcast
