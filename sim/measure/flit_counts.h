// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "network/network.h"
#include "sim/experiment/model.h"
#include "stats/queue_growth.h"
#include "topology/channel_numbering.h"

namespace flitcast {

/// One channel during the window.
struct LinkLoad {
  std::size_t channel = 0;  ///< By ChannelNumbering.
  std::uint64_t flits = 0;  ///< Flits sent in the window.
  /// Share of the window in which flits occupied the channel; a flit at the edge of the window
  /// counts with its cycles inside.
  double load = 0;
};

/// Rates in the window, in flits per node and cycle.
struct Loads {
  double offered = 0;
  double accepted = 0;
  double worst_node = 0;             ///< Flits accepted by the node that accepted fewest.
  std::optional<double> fairness{};  ///< Fairness of accepted flits, if requested.
};

/// The flits that a channel has carried.
struct LinkCount {
  std::uint64_t flits = 0;
  Cycle busy_until{};  ///< End of the occupation by the last flit.
};

/// All counters at one time. The lists are empty if the network has not run; all counts are then 0.
struct FlitCounts {
  Cycle cycle{};
  Totals totals{};
  std::vector<LinkCount> links{};           ///< By ChannelNumbering.
  std::vector<std::uint64_t> node_flits{};  ///< Flits that each node has accepted.
};

/// The traffic carried in a window.
struct Carried {
  /// The most loaded channels, at most kMostLinks, by decreasing load, then by channel.
  std::vector<LinkLoad> links{};
  Totals totals{};
  std::optional<Loads> loads{};  ///< Present for a window of at least one cycle.
  static constexpr std::size_t kMostLinks = 1024;
};

/// The number of flits sent on a channel so far.
std::uint64_t flits_on(const Network& network, const ChannelNumbering& channels,
                       std::size_t channel);

/// Counts the flits of a model's network, and computes the traffic between two counts.
class FlitCounter {
 public:
  explicit FlitCounter(const Model& model) : model_(model), channels_(model.topology()) {}

  FlitCounts count(const Network& network) const;

  /// The counts of each node, including packets in flight.
  Snapshot snapshot(const Network& network) const;

  /// The traffic from `begin` until now, of which the first `window` cycles are the window.
  Carried since(const FlitCounts& begin, const Network& network, std::uint64_t window,
                bool with_fairness) const;

 private:
  std::vector<LinkLoad> link_loads(const FlitCounts& begin, const Network& network,
                                   std::uint64_t window) const;
  LinkCount link_count(const Network& network, std::size_t channel) const;
  std::uint64_t busy_cycles(std::size_t channel, const LinkCount& begin, const LinkCount& end,
                            Cycle start, Cycle stop) const;

  const Model& model_;
  const ChannelNumbering channels_;
};

}  // namespace flitcast
