// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "network/circuit/circuit_network.h"
#include "stats/router_events.h"

namespace flitcast {

/// Observes one router after every cycle and adds its events.
class RouterMonitor {
 public:
  virtual ~RouterMonitor() = default;
  virtual void observe(RouterEvents& events) = 0;
};

/// One monitor per crossbar. Network and format must outlive the monitors.
std::vector<std::unique_ptr<RouterMonitor>> monitor_crossbars(const CircuitNetwork& network,
                                                              const FlitFormat& format);

}  // namespace flitcast
