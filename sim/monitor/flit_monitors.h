// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "sim/monitor/flit_monitor.h"

namespace flitcast {

class CircuitNetwork;
class Inspection;

/// Those that are named, or all of the topology.
std::vector<RouterId> monitored_routers(const MonitorPlan& plan, const Topology& topology);

/// Of routers whose input VCs are rings of flits.
std::unique_ptr<FlitMonitor> monitor_buffers(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection);

/// Of routers that keep packets whole. Signals: of every input VC `packets`, the places that are
/// taken; of every output `queue`, the packets that wait for it, and of the one that leaves
/// `source`, `packet` and `flits_left`, x where none does (one of a single flit leaves at once); of
/// every output VC `credits`, in packets.
std::unique_ptr<FlitMonitor> monitor_packets(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection);

/// Of circuits, where a flit comes to a crossbar and is in the registers behind it until it comes
/// to the next one. Signals: of every output of a switch `input`, the one that drives it, x while
/// none does; of every node `state`, as in TerminalState, and `packet`, the number of the packet
/// that has a connection or asks for one.
std::unique_ptr<FlitMonitor> monitor_circuits(const MonitorPlan& plan,
                                              const CircuitNetwork& network);

}  // namespace flitcast
