// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/loaded_trail.h"

namespace flitcast {

void LoadedTrail::append(TrailPosition position, const std::vector<ChunkId>& chunks) {
  trail_.push_back(position);
  first_entry_.push_back(entries());
  chunks_.insert(chunks_.end(), chunks.begin(), chunks.end());
  if (chunks.empty()) chunks_.push_back(kNoChunk);
}

}  // namespace flitcast
