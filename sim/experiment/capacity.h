// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/figures.h"
#include "routing/analysis/channel_loads.h"
#include "sim/experiment/workload.h"
#include "traffic/load.h"

namespace flitcast {

/// An upper bound, known before the run, on the sustained load of every node: the network is stable
/// only while no channel is offered more than its bandwidth. A network can stay below the bound if
/// its buffers are too small for the credit loop or if packets block each other.
///
///   links and ejection    1 / cycles_per_flit flits per cycle
///   links, packets stored L / (td + L cycles_per_flit), for packets of L flits on average: stop
///                         and wait (StoreForwardCore); for several message classes of the longest
///   injection             L / (L + startup), for packets of L flits on average; for several
///                         message classes the sum, at most 1
///
/// The channel loads of adaptive routings are unknown. They are bounded by the load that every
/// routing must carry: on the channels of nodes, and on all channels between two parts of the
/// network together.
///
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004),
/// chapter 3.
struct Capacity {
  double offered = 0;  ///< The load of the workload, in flits per node and cycle.
  /// The reason why the bound is not known; empty if it is known.
  std::string unknown{};

  // The members below are valid if the bound is known.

  double bound = 0;             ///< Flits per node and cycle.
  std::size_t channel = 0;      ///< The first channel that sets the bound, by ChannelNumbering.
  double channel_load = 0;      ///< Flits on this channel for each flit that every node sends.
  std::size_t channels = 0;     ///< Number of channels that set the same bound, or form the cut.
  std::string cut{};            ///< The parts of the network whose channels set it; else empty.
  std::vector<double> loads{};  ///< By channel; 0 between routers if the routing is adaptive.

  bool known() const { return unknown.empty(); }
  /// "1 -> 0", or "routers 0 to 7 -> the rest".
  std::string name(const Topology& topology) const;
  /// True if queues must grow without bound, up to rounding.
  bool exceeded() const { return known() && offered > bound * (1 + 1e-9); }
};

/// The capacity of a network, which must have a routing. Circuit-switched networks have no routing:
/// their packets wait for the set-up of circuits, and not only for channels.
Capacity capacity_of(const NetworkPlan& network, const OfferedLoad& traffic);

/// The maximum number of flits per cycle that a node can inject, for packets of the traffic's mean
/// lengths.
double injection_limit(const NetworkPlan& network, const OfferedLoad& traffic);

/// Cycles for which a channel waits until routers that store packets have passed one on; else 0.
std::uint64_t storing_cycles(const NetworkPlan& network);

/// The rates of packets by the cycles for which they hold a usual channel, and in addition those of
/// the packets that cross a channel slower than link.cycles_per_flit. Packets of all lengths are
/// taken to use the same paths. Nothing is added where loads are unknown, as in adaptive routing.
/// @param loads  Capacity::loads.
PacketRates rates_by_time(const NetworkPlan& network, const OfferedLoad& traffic,
                          const std::vector<double>& loads = {});

/// "0.143 flits per node and cycle, set by 1 -> 0 and 3 more".
std::string to_text(const Capacity& capacity, const Topology& topology);

/// A known capacity and its topology.
struct CapacityOf {
  const Capacity& capacity;
  const Topology& topology;
};
extern const FigureTable<CapacityOf> kCapacityFigures;

}  // namespace flitcast
