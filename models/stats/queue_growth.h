// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/packet.h"

namespace flitcast {

/// The network at one moment: what has been created, and what of it has not arrived.
struct Snapshot {
  explicit Snapshot(std::size_t nodes) : created(nodes), ejected(nodes), from(nodes), to(nodes) {}

  /// A packet that has not arrived everywhere: all its flits wait. One for several receivers has no
  /// destination here.
  void add(const Packet& packet);

  std::vector<std::uint64_t> created;  ///< Flits since the start of the run, by source.
  std::vector<std::uint64_t> ejected;  ///< Flits since the start of the run, by destination.
  std::uint64_t packets_created = 0;
  std::vector<std::uint64_t> from;  ///< Flits that wait, by source,
  std::vector<std::uint64_t> to;    ///< and by destination.
  /// Flits that wait of a source for a destination.
  struct Flow {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::int64_t flits = 0;
  };
  std::vector<Flow> flows;  ///< One for each packet, in any order.
};

/// Does the network fall behind what it is offered? Follows the backlog of every source and of
/// every destination through a window.
///
/// In steady state a backlog goes up and down; in overload it grows by a fixed share of what is
/// created. Chance alone lets a queue whose server just keeps up grow, too: as a random walk whose
/// variance is that of the arrivals. So growth proves overload where it is more than
///
///   chance = 3 sqrt(D F),   F: flits created for it in the window, D: variance of the flits
///                           created in a span of time over their mean (index of dispersion)
///
/// and goes on: an eighth of it at least falls in the second half of the window, in which a
/// network that merely fills up at the start has done so. D is measured over all nodes and tenths
/// of the window, and is no less than the mean length of a packet, that of a Poisson process. With
/// 3 standard deviations a queue that just keeps up is blamed about once in 400 windows, one that
/// has a few percent to spare never.
/// Source: Asmussen, Applied Probability and Queues (2003), chapter III.8 (reflected random walk).
///
/// Memory: 120 bytes a node, and 16 for every packet in flight at the first and last observation.
class QueueGrowth {
 public:
  /// Spans of equal length that the window is cut into.
  static constexpr std::size_t kSpans = 10;

  /// What a part of the network has gained in the window, in flits.
  struct Part {
    std::uint32_t node = 0;
    std::int64_t growth = 0;
    std::int64_t later = 0;  ///< Of that, in the second half.
    double created = 0;      ///< All that was created for it.
    double chance = 0;       ///< Growth that chance explains.

    bool beyond_chance() const {
      return static_cast<double>(growth) > chance && 8 * later > growth;
    }
  };
  struct Flow {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::int64_t growth = 0;
  };

  /// At the beginning of the window, then at the end of each of its spans; kSpans + 1 times, fewer
  /// if the run is stopped.
  void observe(Snapshot snapshot);

  /// After the last of these observations: what was seen becomes the first half of a window twice
  /// as long, of spans twice as long.
  void widen();
  /// Spans that have been seen.
  std::size_t spans() const { return created_.size(); }

  /// What the window has shown; absent if it was not seen to its end.
  struct Growth {
    Part whole;                       ///< All of the network; its node means nothing.
    Part source;                      ///< The one furthest beyond chance, or nearest to it,
    std::optional<Part> destination;  ///< and of destinations; absent if no packet has just one.
    std::optional<Flow> flow;         ///< The one that has grown most; absent if none has.
  };
  std::optional<Growth> growth() const;

 private:
  void add_span(const std::vector<std::uint64_t>& created);
  void take_middle();
  double dispersion() const;
  std::optional<Flow> worst_flow() const;

  std::optional<Snapshot> begin_, last_;
  std::vector<std::uint64_t> middle_from_, middle_to_;
  // Flits created in every span, by source. 2^32 - 1 stand for more, so that spans of over 4 * 10^9
  // cycles at a flit a cycle seem to vary less than they do; the totals are whole.
  std::vector<std::vector<std::uint32_t>> created_;
};

}  // namespace flitcast
