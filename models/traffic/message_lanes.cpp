// SPDX-License-Identifier: Apache-2.0
#include "traffic/message_lanes.h"

#include <stdexcept>

namespace flitcast {

// The messages are sorted by counting: within a lane they stay in the order of their rounds.
MessageLanes::MessageLanes(const Schedule& schedule, std::size_t nodes, std::size_t lanes)
    : schedule_(schedule), lanes_(lanes), messages_(schedule.size()), last_(nodes * lanes, 0) {
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    if (lanes > 1 && index(schedule.path(m)[0]) >= lanes) {
      throw std::invalid_argument("a message leaves by a port beyond those to other routers");
    }
    ++last_[lane_of(m)];
  }
  std::size_t begin = 0;
  for (std::size_t& last : last_) {
    next_.push_back(begin);
    begin += last;
    last = begin;
  }
  std::vector<std::size_t> place = next_;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    messages_[place[lane_of(m)]++] = static_cast<std::uint32_t>(m);
  }
  enter_round();
}

std::size_t MessageLanes::lane_of(std::size_t message) const {
  const std::size_t first_output = lanes_ == 1 ? 0 : index(schedule_.path(message)[0]);
  return index(schedule_.message(message).from) * lanes_ + first_output;
}

void MessageLanes::enter_round() {
  while (!finished() && schedule_.messages(round_).size() == 0) ++round_;
  if (finished()) return;
  for (std::size_t m = schedule_.begin(round_); m < schedule_.end(round_); ++m) {
    receipts_left_ += schedule_.receivers(m).size();
  }
}

}  // namespace flitcast
