// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "collective/schedule.h"

namespace flitcast {

/// The messages of a schedule in the order in which nodes send them, and the current round.
///
/// A node's messages are in one lane, or in one for each output by which their paths begin. Within
/// a lane they stay in the order of their rounds.
class MessageLanes {
 public:
  /// `schedule` must outlive the lanes. Throws std::invalid_argument for several lanes if a message
  /// begins by an output that has none.
  /// @param nodes  Above the number of every sender.
  // The messages are sorted by counting: within a lane they stay in the order of their rounds.
  MessageLanes(const Schedule& schedule, std::size_t nodes, std::size_t lanes)
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

  /// True if `ready` holds for the next message of one of the node's lanes.
  template <class Ready>
  bool has(NodeId node, Ready&& ready) const {
    for (std::size_t l = index(node) * lanes_; l < (index(node) + 1) * lanes_; ++l) {
      if (next_[l] < last_[l] && ready(messages_[next_[l]])) return true;
    }
    return false;
  }

  /// Calls send(message) for the node's next messages while `ready` holds for them.
  template <class Ready, class Send>
  void take(NodeId node, Ready&& ready, Send&& send) {
    for (std::size_t l = index(node) * lanes_; l < (index(node) + 1) * lanes_; ++l) {
      for (; next_[l] < last_[l] && ready(messages_[next_[l]]); ++next_[l])
        send(messages_[next_[l]]);
    }
  }

  std::size_t lanes() const { return lanes_; }
  std::size_t nodes() const { return last_.size() / lanes_; }

  /// The current round; Schedule::rounds() after the last one. Rounds without messages are skipped.
  std::size_t round() const { return round_; }
  bool finished() const { return round_ == schedule_.rounds(); }

  /// A function that is true if the message belongs to this round or an earlier one.
  auto due() const {
    return [this](std::size_t message) { return message < schedule_.end(round_); };
  }

  /// Counts a receipt of the round, and returns whether it was the last one.
  bool receive() { return --receipts_left_ == 0; }

  /// Enters the next round, and calls wake(node) for its senders.
  template <class Wake>
  void next_round(Wake&& wake) {
    ++round_;
    enter_round();
    for (std::uint32_t node = 0; node < nodes() && !finished(); ++node) {
      if (has(NodeId{node}, due())) wake(NodeId{node});
    }
  }

 private:
  std::size_t lane_of(std::size_t message) const {
    const std::size_t first_output = lanes_ == 1 ? 0 : index(schedule_.path(message)[0]);
    return index(schedule_.message(message).from) * lanes_ + first_output;
  }

  void enter_round() {
    while (!finished() && schedule_.messages(round_).size() == 0) ++round_;
    if (finished()) return;
    for (std::size_t m = schedule_.begin(round_); m < schedule_.end(round_); ++m) {
      receipts_left_ += schedule_.receivers(m).size();
    }
  }

  const Schedule& schedule_;
  const std::size_t lanes_;              // The number of lanes of a node.
  std::vector<std::uint32_t> messages_;  // The messages, ordered by lane.
  std::vector<std::size_t> next_;        // By lane: the index in messages_ of its next message.
  std::vector<std::size_t> last_;        // By lane: the index where its messages end.
  std::size_t round_ = 0;
  std::size_t receipts_left_ = 0;  // The receipts of this round that are still to come.
};

}  // namespace flitcast
