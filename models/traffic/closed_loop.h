// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/packet_source.h"
#include "base/random.h"
#include "topology/topology.h"
#include "traffic/load.h"
#include "traffic/pattern.h"

namespace flitcast {

/// Requests in a closed loop: every node has at most `outstanding` unanswered requests, and sends
/// the next when a request has been answered. A request is answered by a packet from its
/// destination, or, without replies, by its own arrival. The source is endless, or every node has a
/// batch of the same size.
///
/// The next request of a node is created in the cycle after an answer has arrived, so with X
/// requests per cycle and a round trip of R cycles from the creation of a request to the arrival of
/// its answer, outstanding = X (R + 1) while no batch ends (Little's law).
///
/// Packet::tag of a reply is 1, and its payload the cycle in which the request was created. Every
/// node draws from a random stream of its own.
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004), section
/// 23.2, for closed and open systems of measurement.
class ClosedLoop : public PacketSource {
 public:
  struct Params {
    std::uint32_t outstanding = 1;  ///< Requests of a node without an answer, at least 1.
    std::uint64_t batch = 0;        ///< Requests of every node; 0: without end.
    PacketLengths requests{{1}, {1}};
    std::optional<PacketLengths> replies{};  ///< Absent: requests are answered by their arrival.
    /// Cycles from the cycle after the arrival of a request to the creation of the reply.
    std::uint64_t service = 0;
  };

  /// Round trips of the requests created in the window, or, without a window, in the whole run.
  struct RoundTrips {
    std::uint64_t count = 0;    ///< The answered requests.
    std::uint64_t cycles = 0;   ///< The sum of their round trips, in cycles.
    std::uint64_t longest = 0;  ///< The longest of their round trips, in cycles.
    /// The requests that had no answer at the end of the window and have none now.
    std::optional<std::uint64_t> unanswered{};
  };

  ClosedLoop(std::size_t nodes, std::uint64_t seed, std::unique_ptr<Pattern> pattern,
             Params params);

  Cycle first(NodeId) override { return Cycle{0}; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// True if all requests of a batch are answered; never without batches.
  bool finished() const { return params_.batch != 0 && answered_ == params_.batch * nodes_.size(); }
  const Pattern& pattern() const { return *pattern_; }
  const RoundTrips& round_trips() const { return round_trips_; }
  /// Begins the window: requests of earlier cycles no longer count.
  void open_window(Cycle now);
  /// Ends the window before cycle `end`, if it has not ended; true if its requests are answered.
  bool finish_window(Cycle end);

 private:
  /// A packet to create in a cycle: a request, or the reply to one.
  struct Due {
    Cycle cycle{};
    NodeId to{};
    std::uint64_t asked = 0;  ///< The cycle in which the request was created.
  };
  // Each node has its own cache line, because different threads may call for neighbouring nodes.
  struct alignas(64) Node {
    Random random;
    std::uint64_t left = 0;     ///< Requests of the batch that are not created.
    std::deque<Cycle> free{};   ///< By request that may be created: its earliest cycle.
    std::deque<Due> replies{};  ///< Replies to create, in the order of their cycles.
  };

  void answered(NodeId node, std::uint64_t asked, Cycle arrival, std::vector<WakeUp>& wake_ups);

  const std::unique_ptr<Pattern> pattern_;
  const Params params_;
  std::vector<Node> nodes_;
  std::uint64_t answered_ = 0;
  Cycle begin_{0};      ///< The first cycle of the window.
  Cycle end_ = kNever;  ///< The cycle after the window; kNever: it has not ended.
  RoundTrips round_trips_;
};

/// Makes the source of a workload of kind `closed_loop`; throws one ConfigError with all problems.
/// @param routing  As for make_pattern().
std::unique_ptr<ClosedLoop> make_closed_loop(const Section& workload, const Topology& topology,
                                             std::uint64_t seed, const Routing* routing);

/// The keys of a workload of kind `closed_loop`, except `kind`.
std::vector<Param> closed_loop_params();

}  // namespace flitcast
