// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "clos/control.h"
#include "clos/experiments/request_generator.h"
#include "clos/experiments/trace.h"

namespace flitcast::clos {

/// What became of random requests.
struct TrafficCounts {
  std::uint64_t requests = 0;   ///< For new connections.
  std::uint64_t blocked = 0;    ///< Of these.
  std::size_t most_passes = 0;  ///< Of a request served: the middle switches of its route.
};

/// Is told every event.
using EventSink = std::function<void(const Event& event)>;

/// Lets so many random events happen to the network of `control`. The events as values are made for
/// `sink` only: without one no time goes into them.
TrafficCounts run_traffic(Control& control, RequestGenerator& generator, std::uint64_t events,
                          const EventSink& sink = {});

}  // namespace flitcast::clos
