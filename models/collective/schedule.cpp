// SPDX-License-Identifier: Apache-2.0
#include "collective/schedule.h"

#include <stdexcept>

namespace flitcast {

void Schedule::add(NodeId from, NodeId to, ChunkId chunk, PortId output) {
  if (round_begin_.empty()) throw std::logic_error("a send before the first round");
  sends_.push_back({from, to, chunk, static_cast<std::uint32_t>(hops_.size())});
  hops_.push_back(output);
}

void Schedule::add(NodeId from, NodeId to, ChunkId chunk, const std::vector<PortId>& path) {
  if (round_begin_.empty()) throw std::logic_error("a send before the first round");
  sends_.push_back({from, to, chunk, static_cast<std::uint32_t>(hops_.size())});
  hops_.insert(hops_.end(), path.begin(), path.end());
}

void Schedule::reserve(std::size_t sends) {
  sends_.reserve(sends);
  hops_.reserve(sends);
}

}  // namespace flitcast
