// SPDX-License-Identifier: Apache-2.0
#include "tlm/timing.h"

#include <algorithm>
#include <cmath>

namespace flitcast::tlm {

LatencyEstimate::LatencyEstimate(const Topology& topology, const NetworkParams& params)
    : times_(topology, params),
      channels_(static_cast<double>(std::max<std::size_t>(topology.channels().size(), 1))),
      from_(topology.node_count()),
      to_(topology.node_count()) {}

double LatencyEstimate::latency(NodeId from, NodeId to, std::uint32_t flits, double now) {
  const double hops = times_.hops(from, to);
  const double waits_between = between_.wait_and_add(now, flits, hops / channels_);
  return static_cast<double>(times_.least(from, to, flits)) +
         from_[index(from)].wait_and_add(now, flits, 1) + std::min(hops, 1.0) * waits_between +
         to_[index(to)].wait_and_add(now, flits, 1);
}

// Callers with time of their own run ahead of each other: a packet from before `at` counts for as
// little as one of its age. Beyond a utilisation of 0.95 waiting would grow without limit.
double LatencyEstimate::Load::wait_and_add(double now, double length, double packets) {
  const double rest = std::exp(-std::fabs(now - at) / kSpan);
  if (now > at) {
    flits *= rest;
    squares *= rest;
  } else {
    packets *= rest;
  }
  at = std::max(at, now);
  const double utilisation = std::min(flits / kSpan, 0.95);
  const double wait = flits > 0 ? squares / flits * utilisation / 2 / (1 - utilisation) : 0;
  flits += packets * length;
  squares += packets * length * length;
  return wait;
}

}  // namespace flitcast::tlm
