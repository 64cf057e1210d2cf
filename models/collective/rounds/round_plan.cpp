// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/round_plan.h"

#include <ostream>

namespace flitcast {

void RoundPlan::add(NodeId from, Carries carries, std::uint32_t chunk,
                    const std::vector<NodeId>& receivers) {
  messages_.push_back({from, carries, chunk, receivers_.size()});
  receivers_.insert(receivers_.end(), receivers.begin(), receivers.end());
}

void RoundPlan::add_chunk(NodeId from, NodeId to, std::uint32_t chunk) {
  messages_.push_back({from, Carries::kChunk, chunk, receivers_.size()});
  receivers_.push_back(to);
}

void RoundPlan::add_partial(NodeId from, NodeId to) {
  messages_.push_back({from, Carries::kPartial, 0, receivers_.size()});
  receivers_.push_back(to);
}

void write_rounds(std::ostream& out, const RoundPlan& plan) {
  for (std::size_t round = 0; round < plan.rounds(); ++round) {
    for (std::size_t m = plan.begin(round); m < plan.end(round); ++m) {
      const RoundMessage& message = plan.message(m);
      out << round + 1 << ' ' << index(message.from) << ' ';
      if (message.carries == Carries::kChunk) out << message.chunk;
      if (message.carries == Carries::kPartial) out << "partial";
      if (message.carries == Carries::kResult) out << "result";
      for (const NodeId to : plan.receivers(m)) out << ' ' << index(to);
      out << '\n';
    }
  }
}

}  // namespace flitcast
