// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/flight_times.h"

namespace flitcast::tlm {

/// The time that a transaction of b_transport spends between its initiator and its target.
/// Transactions of nb_transport and writes to several targets always pass the network.
enum class Timing {
  kCycle,     ///< It passes the network, cycle by cycle, and its caller waits.
  kAnalytic,  ///< Its delay grows by an estimate for both packets; its caller waits where the
              ///< target does.
  kIdeal,     ///< None, as if they were bound to each other.
};

/// Estimates the latency of packets without a network, from those it has estimated before: the
/// least time of each, and the mean waiting of M/G/1 queues for the channel from the source, one
/// channel between routers, of their mean load, and the channel to the destination. A packet that
/// has waited for a channel follows the one before at its pace, so that it rarely waits for the
/// next: waiting for each was 1.5 to 2.3 times that of a 4x4 mesh.
/// Loads are means over the last kSpan cycles or so, with weights that fall exponentially. What it
/// does not know: shared paths, virtual channels, finite buffers, and other traffic.
///
/// Source of the waiting time: Pollaczek and Khinchine; see L. Kleinrock, Queueing Systems 1, 1975.
class LatencyEstimate {
 public:
  static constexpr double kSpan = 2000;

  /// Both must outlive the object.
  LatencyEstimate(const Topology& topology, const NetworkParams& params);

  /// Cycles from the creation of a packet in cycle `now` to the arrival of its tail.
  double latency(NodeId from, NodeId to, std::uint32_t flits, double now);
  FlightTimes& times() { return times_; }

 private:
  /// The traffic of a channel.
  struct Load {
    double flits = 0;
    double squares = 0;  // The sum of the squared lengths of packets.
    double at = 0;

    /// The mean waiting time of the next packet; then counts `packets` packets of that length.
    double wait_and_add(double now, double length, double packets);
  };

  FlightTimes times_;
  const double channels_;
  std::vector<Load> from_;  // By node, as is the next.
  std::vector<Load> to_;
  Load between_;  // The mean of all channels between routers.
};

}  // namespace flitcast::tlm
