// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/traffic.h"

namespace flitcast::clos {

inline StrategyMaker maker_of(const std::string& strategy) {
  const auto* entry = find(strategies(), strategy);
  if (entry == nullptr) throw std::invalid_argument("no strategy " + strategy);
  return entry->make;
}

inline ConnectionAdmission control_of(const Structure& structure, const std::string& strategy,
                                      std::uint64_t seed = 1) {
  return {structure, maker_of(strategy)({structure, 0, seed})};
}

/// Random traffic on an empty network, and the resulting state.
struct TrafficRun {
  TrafficRun(const Structure& structure, const std::string& strategy, const RequestParams& params,
             std::uint64_t events)
      : control(control_of(structure, strategy, params.seed)) {
    RequestGenerator generator(structure, params);
    counts = run_traffic(control, generator, events, [&](const Event& event) {
      trace.push_back(event);
      hash.add(event);
    });
  }

  /// M_0, M_1, .. as "f,7,c".
  std::string destination_sets() const {
    std::string text;
    const BitMatrix& sets = control.state().destination_sets();
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      text += (j == 0 ? "" : ",") + to_hex(sets.set_of(j));
    }
    return text;
  }

  ConnectionAdmission control;
  TrafficCounts counts;
  std::vector<Event> trace;
  TraceHash hash;
};

}  // namespace flitcast::clos
