// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// A piece of data that a collective operation moves as a whole; see Demand for its numbering.
enum class ChunkId : std::uint32_t {};

/// One message of a round: `from` sends `chunk` to `to` along a path of output ports.
struct Send {
  NodeId from{};
  NodeId to{};
  ChunkId chunk{};
  std::uint32_t first_hop = 0;  ///< Where its path starts among the schedule's hops.
};

/// The output ports that a message leaves its routers by, from the source's on.
class Path {
 public:
  Path(const PortId* begin, const PortId* end) : begin_(begin), end_(end) {}
  const PortId* begin() const { return begin_; }
  const PortId* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  PortId operator[](std::size_t hop) const { return begin_[hop]; }

 private:
  const PortId* begin_;
  const PortId* end_;
};

/// Who sends what to whom in which round: a collective algorithm as a value.
///
/// Sends are numbered from 0 in the order of their rounds; rounds too are numbered from 0 here, and
/// from 1 wherever a user reads them. All sends of a round use what was known before the round. On
/// topologies where node n sits at router n (grids, hypercubes, complete graphs). 18 bytes a send
/// and hop.
class Schedule {
 public:
  /// Opens the next round; the sends added from now on belong to it. A round may stay empty.
  void begin_round() { round_begin_.push_back(sends_.size()); }
  void add(NodeId from, NodeId to, ChunkId chunk, PortId output);
  void add(NodeId from, NodeId to, ChunkId chunk, const std::vector<PortId>& path);
  /// Makes room for so many sends of one hop.
  void reserve(std::size_t sends);

  std::size_t rounds() const { return round_begin_.size(); }
  std::size_t size() const { return sends_.size(); }
  /// The sends of a round are begin(round) .. end(round) - 1.
  std::size_t begin(std::size_t round) const { return round_begin_[round]; }
  std::size_t end(std::size_t round) const {
    return round + 1 < rounds() ? round_begin_[round + 1] : size();
  }

  const Send& send(std::size_t number) const { return sends_[number]; }
  Path path(std::size_t number) const {
    const std::size_t last = number + 1 < size() ? sends_[number + 1].first_hop : hops_.size();
    return {hops_.data() + sends_[number].first_hop, hops_.data() + last};
  }

 private:
  std::vector<std::size_t> round_begin_;
  std::vector<Send> sends_;
  std::vector<PortId> hops_;
};

}  // namespace flitcast
