// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The order in which sources get outputs: a source claims all outputs of a packet at once, and
/// gets each of them in the order of the claims.
///
/// All queues are in the order of the claims, so no two sources wait for each other and no source
/// waits forever: the oldest claim owns all of its outputs. A younger claim on other outputs does
/// not wait for an older one.
class OutputClaims {
 public:
  OutputClaims(std::size_t sources, std::size_t outputs) : queues_(outputs), missing_(sources, 0) {}

  /// Claims the outputs for a source that has no claim. Returns whether the source owns them all
  /// now.
  bool claim(NodeId source, const std::vector<NodeId>& outputs) {
    std::uint32_t missing = 0;
    for (const NodeId output : outputs) {
      std::deque<NodeId>& queue = queues_[index(output)];
      if (!queue.empty()) ++missing;
      queue.push_back(source);
    }
    missing_[index(source)] = missing;
    return missing == 0;
  }

  /// Releases all outputs of a source that owns them. Appends the sources that now own all outputs
  /// that they claimed.
  void release(const std::vector<NodeId>& outputs, std::vector<NodeId>& owners) {
    for (const NodeId output : outputs) {
      std::deque<NodeId>& queue = queues_[index(output)];
      queue.pop_front();
      if (!queue.empty() && --missing_[index(queue.front())] == 0) owners.push_back(queue.front());
    }
  }

  /// True if the source owns the output; a source whose claim is met owns all of its outputs.
  bool owns(NodeId source, NodeId output) const {
    const std::deque<NodeId>& queue = queues_[index(output)];
    return !queue.empty() && queue.front() == source;
  }

 private:
  std::vector<std::deque<NodeId>> queues_;  // Per output: the sources that claim it, owner first.
  std::vector<std::uint32_t>
      missing_;  // Per source: the number of claimed outputs that it does not own.
};

}  // namespace flitcast
