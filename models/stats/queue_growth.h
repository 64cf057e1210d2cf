// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/packet.h"

namespace flitcast {

/// The network at one moment: the flits created so far, and those that have not arrived.
struct Snapshot {
  explicit Snapshot(std::size_t nodes)
      : created(nodes),
        ejected(nodes),
        from(nodes),
        to(nodes),
        longest_from(nodes),
        longest_to(nodes) {}

  /// Adds a packet that has not arrived at all of its destinations; all flits of the packet count
  /// as waiting. The flits of a multicast packet count for its source only.
  void add(const Packet& packet);

  std::vector<std::uint64_t> created;  ///< Flits since the start of the run, by source.
  std::vector<std::uint64_t> ejected;  ///< Flits since the start of the run, by destination.
  std::uint64_t packets_created = 0;
  std::vector<std::uint64_t> from;          ///< Waiting flits by source.
  std::vector<std::uint64_t> to;            ///< Waiting flits by destination.
  std::vector<std::uint64_t> longest_from;  ///< Length of the longest waiting packet by source.
  std::vector<std::uint64_t> longest_to;    ///< Length of the longest one by destination.
  /// The waiting flits from a source to a destination.
  struct Flow {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::int64_t flits = 0;
  };
  std::vector<Flow> flows;  ///< One for each packet, in any order.
};

/// Detects overload: follows the backlog of every source and of every destination through a window.
///
/// In steady state a backlog fluctuates; in overload it grows by a fixed share of the flits
/// created. A queue whose server just keeps up grows by chance, too, as a random walk whose
/// variance is that of the arrivals. So growth proves overload if it exceeds
///
///   chance = 3 sqrt(D F),   F: flits created for the queue in the window, D: variance of the
///                           flits created in a span of time over their mean (index of dispersion)
///
/// and continues: at least an eighth of the growth falls in the second half of the window, when a
/// network that merely fills up at the start is full. D is measured over all nodes and tenths of
/// the window, and is at least the mean packet length, its value for a Poisson process. For a
/// source D is as far from that of all nodes as the interval of 98 % of its own ten spans demands:
/// the bursts of others do not count for sources of single flits, nor the reverse. D F is at least
/// the square of the longest packet in flight: up to three such packets are chance, however rare
/// they are. With 3 standard deviations, a queue that just keeps up is reported about once in 400
/// windows, and a queue with a few percent of spare capacity never.
///
/// Source: Asmussen, Applied Probability and Queues (2003), chapter III.8 (reflected random walk).
///
/// Memory: 152 bytes per node, and 16 per packet in flight at the first and last observation.
class QueueGrowth {
 public:
  /// The number of spans of equal length in the window.
  static constexpr std::size_t kSpans = 10;

  /// The growth of a part of the network in the window, in flits.
  struct Part {
    std::uint32_t node = 0;
    std::int64_t growth = 0;
    std::int64_t later = 0;  ///< The growth in the second half of the window.
    double created = 0;      ///< The flits created for this part.
    double chance = 0;       ///< The growth that chance can explain.

    bool beyond_chance() const {
      return static_cast<double>(growth) > chance && 8 * later > growth;
    }
  };
  using Flow = Snapshot::Flow;

  /// Call it at the beginning of the window and at the end of each of its spans: kSpans + 1 times,
  /// fewer if the run is stopped.
  void observe(Snapshot snapshot);

  /// Call it after the last observation: the window becomes the first half of a window twice as
  /// long, with spans twice as long.
  void widen();
  /// The number of spans observed.
  std::size_t spans() const { return created_.size(); }

  /// The cycle from which on a network has accepted less than was offered; rates in flits per node
  /// and cycle.
  struct Collapse {
    std::uint64_t cycle = 0;
    double offered = 0;   ///< The rate offered since that cycle.
    double accepted = 0;  ///< The rate accepted since that cycle.
  };

  /// The result of the window; absent if it was not observed to its end.
  struct Growth {
    Part whole;                       ///< The whole network; Part::node is not used.
    Part source;                      ///< The source with the most growth relative to chance.
    std::optional<Part> destination;  ///< The same for destinations; absent if all are multicasts.
    std::optional<Flow> flow;         ///< The flow that has grown most, if any has grown.
    /// Absent unless the network is overloaded and kept up in the first part of the window; also
    /// absent if the flits created do not arrive once each (multicasts, dropped packets).
    std::optional<Collapse> collapse{};
  };
  std::optional<Growth> growth() const;

 private:
  void add_span(const std::vector<std::uint64_t>& created);
  void take_middle();
  double dispersion(std::size_t begin, std::size_t end) const;
  std::optional<Flow> worst_flow() const;

  std::optional<Snapshot> begin_, last_;
  std::vector<std::uint64_t> middle_from_, middle_to_;
  // Per span and source, the flits created, at most 2^32 - 1. So spans of over 4 * 10^9 cycles at
  // one flit per cycle appear to vary less than they do; the totals are exact.
  std::vector<std::vector<std::uint32_t>> created_;
};

/// The flits created and accepted by the whole network in 64 spans of a window, from which
/// collapse() finds when the network fell behind.
class FlitHistory {
 public:
  static constexpr std::size_t kSpans = 64;

  /// The flits since the start of the run.
  struct Count {
    std::uint64_t created = 0;
    std::uint64_t accepted = 0;
  };

  /// Call it at the beginning of the window and at the end of each of its spans.
  void observe(const Count& count) { counts_.push_back(count); }
  /// The window becomes the first half of a window twice as long.
  void widen();

  /// The last spans, in which the network fell behind, and their flits; absent if the collapse may
  /// have begun in the first sixteenth of the window, or if chance explains that the backlog grew
  /// faster in these spans.
  ///
  /// Let d be the growth of the backlog in a span in flits, and k half of the mean of d in the last
  /// eighth of the window: the sum of d - k over the last spans is largest for the spans that are
  /// returned.
  /// Sources: Page, Continuous Inspection Schemes, Biometrika 41 (1954); Hinkley, Inference about
  /// the Change-Point from Cumulative Sum Tests, Biometrika 58 (1971).
  /// @param chance  The growth that chance explains in the whole window, in flits.
  struct Since {
    std::size_t span = 0;  ///< The first of these spans, from 0.
    Count flits{};
  };
  std::optional<Since> collapse(double chance) const;

 private:
  /// The growth of the backlog in flits from the start of span `begin` to the start of span `end`.
  double stayed(std::size_t begin, std::size_t end) const;

  std::vector<Count> counts_;
};

}  // namespace flitcast
