// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/catalog.h"
#include "clos/traffic.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Blocking of random traffic with a given number of middle switches.
struct BlockingPoint {
  std::uint32_t m = 0;
  TrafficCounts counts;

  double blocking_probability() const {
    return static_cast<double>(counts.blocked) / static_cast<double>(counts.requests);
  }
};

/// Random traffic of this many events, at least 1, on an empty network under a strategy that `make`
/// makes for the seed of the traffic, without a pass limit.
TrafficCounts blocked_traffic(const Structure& structure, StrategyMaker make,
                              const RequestParams& params, std::uint64_t events);

/// The blocking probability against m for m = first .. last, with the other sizes of `structure`.
/// Every point is a separate experiment from an empty network with the same seed, so any part of a
/// curve can be computed alone.
std::vector<BlockingPoint> blocking_curve(const Structure& structure, std::uint32_t first,
                                          std::uint32_t last, StrategyMaker make,
                                          const RequestParams& params, std::uint64_t events);

}  // namespace flitcast::clos
