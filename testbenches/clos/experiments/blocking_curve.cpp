// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/blocking_curve.h"

#include "clos/connection_admission.h"

namespace flitcast::clos {

TrafficCounts blocked_traffic(const Structure& structure, StrategyMaker make,
                              const RequestParams& params, std::uint64_t events) {
  ConnectionAdmission control(structure, make({structure, 0, params.seed}));
  RequestGenerator generator(structure, params);
  return run_traffic(control, generator, events);
}

std::vector<BlockingPoint> blocking_curve(const Structure& structure, std::uint32_t first,
                                          std::uint32_t last, StrategyMaker make,
                                          const RequestParams& params, std::uint64_t events) {
  std::vector<BlockingPoint> curve;
  for (std::uint32_t m = first; m <= last; ++m) {
    Structure point = structure;
    point.m = m;
    curve.push_back({m, blocked_traffic(point, make, params, events)});
  }
  return curve;
}

}  // namespace flitcast::clos
