// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "conformance/check.h"

namespace flitcast::conformance {

/// The network of a latency-load curve, with the fields of the columns of its rows.
struct CurveNetwork {
  /// Several nodes at each router: parameters c, x, y, xr and yr.
  struct Concentration {
    unsigned nodes = 1;
    unsigned columns = 0;
    unsigned rows = 0;
    unsigned tile_width = 1;
    unsigned tile_height = 1;
  };

  std::string topology;  ///< The name in the table: mesh, fly, dragonflynew, ...
  std::size_t k = 0;
  std::size_t n = 0;
  std::string routing;
  std::string traffic;
  std::uint32_t packet_size = 1;  ///< Flits.
  unsigned virtual_channels = 1;
  unsigned buffer_depth = 1;  ///< Flits per VC.
  unsigned routing_delay = 1;
  unsigned vc_alloc_delay = 1;
  unsigned sw_alloc_delay = 1;
  Concentration concentration{};
  unsigned credit_delay = 0;  ///< Cycles from the arrival of a credit until it can be used.
  std::string vc_allocator = "separable_input_first";
  std::string sw_allocator = "separable_input_first";
  unsigned alloc_iters = 1;
  unsigned speculative = 0;
  unsigned input_speedup = 1;
  unsigned wait_for_tail_credit = 0;
  std::string file{};  ///< network_file of an anynet, beside the tables.

  /// Reads the columns of a row.
  /// Throws std::invalid_argument for undefined values.
  static CurveNetwork of(const Row& row);

  /// The feature of the network that flitcast lacks, or empty.
  std::string missing() const;
  /// True if its links have several lengths, so that hops say little about latencies.
  bool links_differ() const { return topology == "dragonflynew" || topology == "anynet"; }

  /// Zero-load latency of a head flit per router and outgoing channel, in cycles.
  double cycles_per_hop() const;
};

/// One measurement.
struct CurvePoint {
  double load = 0;  ///< Flits offered per node and cycle.
  std::uint64_t warmup = 0;
  std::uint64_t window = 0;
};

/// The results of a measurement, as means over several seeds.
struct CurveResult {
  double latency = 0;   ///< Latency of the packets created in the window, source queueing included.
  double hops = 0;      ///< Routers visited by them.
  double accepted = 0;  ///< Flits per node and cycle in the window.
  bool steady = true;   ///< True if all of them arrived before the drain was given up.
};

/// Runs the point on the cycle-accurate network with seeds 1 .. `seeds`, and averages.
CurveResult simulate(const CurveNetwork& network, const CurvePoint& point, unsigned seeds);

}  // namespace flitcast::conformance
