// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "collective/schedule.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// The pairs of messages of a one-chunk schedule that share channels, and the causal order of
/// messages.
class Overlaps {
 public:
  Overlaps(const Topology& topology, const Schedule& schedule) : schedule_(schedule) {
    const Adjacency adjacency(topology);
    for (std::size_t m = 0; m < schedule.size(); ++m) {
      RouterId at{index(schedule.message(m).from)};
      channels_.emplace_back();
      for (const PortId output : schedule.path(m)) {
        const std::uint32_t channel = adjacency.leaving(at, output);
        channels_.back().insert(channel);
        at = topology.channels()[channel].to.router;
      }
    }
  }

  /// The sum of the path lengths of all messages.
  std::size_t hops() const {
    std::size_t sum = 0;
    for (const auto& channels : channels_) sum += channels.size();
    return sum;
  }
  /// True if no two messages of a round share a channel.
  bool step_free() const {
    return sharers(
        [this](std::size_t earlier, std::size_t later) { return round(earlier) < round(later); });
  }
  /// True if of any two messages that share a channel the earlier causes the later.
  bool depth_free() const {
    return sharers(
        [this](std::size_t earlier, std::size_t later) { return causes(earlier, later); });
  }

 private:
  // True if all pairs of messages that share a channel satisfy a condition.
  template <class Condition>
  bool sharers(const Condition& condition) const {
    for (std::size_t later = 0; later < channels_.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (shared(earlier, later) && !condition(earlier, later)) return false;
      }
    }
    return true;
  }
  // True if `earlier` causes `later`, directly or in turn: a message causes all later-round
  // messages from its sender and from its receiver.
  bool causes(std::size_t earlier, std::size_t later) const {
    std::set<std::size_t> known{earlier};
    for (std::size_t m = earlier + 1; m <= later; ++m) {
      const NodeId from = schedule_.message(m).from;
      const bool caused = std::any_of(known.begin(), known.end(), [&](std::size_t k) {
        const Message& cause = schedule_.message(k);
        return round(k) < round(m) && (cause.to == from || cause.from == from);
      });
      if (caused) known.insert(m);
    }
    return known.count(later) == 1;
  }

  bool shared(std::size_t a, std::size_t b) const {
    return std::any_of(channels_[a].begin(), channels_[a].end(),
                       [&](std::uint32_t channel) { return channels_[b].count(channel) == 1; });
  }
  std::size_t round(std::size_t message) const {
    std::size_t round = 0;
    while (schedule_.end(round) <= message) ++round;
    return round;
  }

  const Schedule& schedule_;
  std::vector<std::set<std::uint32_t>> channels_;
};

}  // namespace flitcast
