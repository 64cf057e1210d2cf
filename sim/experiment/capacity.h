// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/figures.h"
#include "routing/analysis/channel_loads.h"
#include "sim/experiment/workload.h"

namespace flitcast {

/// The most that every node can send for ever, before anything runs: the network is stable only as
/// long as no channel is offered more than it carries. An upper bound; buffers that are too small
/// for the credit loop and packets that block each other can keep a network below it.
///
///   links and ejection    1 / cycles_per_flit flits per cycle
///   injection             L / (L + startup), for packets of L flits on average; of several
///                         message classes the sum, at most 1
///
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004),
/// chapter 3.
struct Capacity {
  double offered = 0;  ///< What the workload asks for, in flits per node and cycle.
  /// Why the bound is not known; empty if it is.
  std::string unknown{};

  // If it is known.

  double bound = 0;             ///< In flits per node and cycle.
  std::size_t channel = 0;      ///< The first that sets it, by ChannelNumbering.
  double channel_load = 0;      ///< Flits that it carries for each that every node sends.
  std::size_t channels = 0;     ///< As many are loaded as much.
  std::vector<double> loads{};  ///< channel_load of every channel.

  bool known() const { return unknown.empty(); }
  /// Whether queues must grow without end, rounding aside.
  bool exceeded() const { return known() && offered > bound * (1 + 1e-9); }
};

/// The network must have a routing: circuits wait for their set-up, and not for channels alone.
Capacity capacity_of(const NetworkPlan& network, const OfferedLoad& traffic);

/// Flits per cycle that one node can inject at most, packets of the traffic's mean lengths.
double injection_limit(const NetworkPlan& network, const OfferedLoad& traffic);

/// "0.143 flits per node and cycle, set by 1 -> 0 and 3 more".
std::string to_text(const Capacity& capacity, const Topology& topology);

/// A capacity that is known, and whose it is.
struct CapacityOf {
  const Capacity& capacity;
  const Topology& topology;
};
const FigureTable<CapacityOf>& capacity_figures();

}  // namespace flitcast
