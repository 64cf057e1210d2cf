// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/gossip/trail.h"
#include "collective/schedule.h"

namespace flitcast {

/// An entry of a loaded trail without a chunk: the round of a channel it stands for stays idle.
inline constexpr ChunkId kNoChunk{~std::uint32_t{0}};

/// A closed trail and the chunks that its nodes put on it, as one cyclic sequence of entries.
///
///   position      0     1     2   ..        every position owns at least one entry,
///   entries     | 0 | 1   2 | 3 | ..        empty if its node puts nothing on the trail there
///
/// Position numbers and entry numbers are cyclic: the last is followed by 0.
class LoadedTrail {
 public:
  /// Adds the next position of the trail and what its node puts on the trail there.
  void append(TrailPosition position, const std::vector<ChunkId>& chunks);

  std::uint32_t positions() const { return static_cast<std::uint32_t>(trail_.size()); }
  std::uint32_t entries() const { return static_cast<std::uint32_t>(chunks_.size()); }
  ChunkId chunk(std::uint32_t entry) const { return chunks_[entry]; }

  NodeId node(std::uint32_t position) const { return trail_[position].node; }
  PortId output(std::uint32_t position) const { return trail_[position].output; }
  std::uint32_t next(std::uint32_t position) const {
    return position + 1 < positions() ? position + 1 : 0;
  }
  std::uint32_t first_entry(std::uint32_t position) const { return first_entry_[position]; }
  std::uint32_t last_entry(std::uint32_t position) const {
    return (position + 1 < positions() ? first_entry_[position + 1] : entries()) - 1;
  }
  std::uint32_t owned(std::uint32_t position) const {
    return last_entry(position) - first_entry(position) + 1;
  }

 private:
  Trail trail_;
  std::vector<std::uint32_t> first_entry_;
  std::vector<ChunkId> chunks_;
};

}  // namespace flitcast
