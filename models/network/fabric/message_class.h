// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "router/bit_mask.h"
#include "routing/routing.h"

namespace flitcast {

/// What the nodes of a network make of the packets of a message class; which virtual channels they
/// use is the routing's business.
struct MessageClass {
  static constexpr std::size_t kPriorities = 4;

  /// 0 to kPriorities - 1. In every cycle a port of a node sends a flit of the class with the
  /// highest priority that can send one; classes of equal priority take turns. Routers serve all
  /// classes alike.
  std::uint8_t priority = 0;
  /// The class whose packets answer those of this one, one each, where
  /// NetworkParams::reply_queue counts.
  std::optional<std::uint8_t> reply{};
};

/// Whose turn is it among the message classes that want to use the channel of a node's port?
class ClassTurns {
 public:
  /// The class that sent last, by priority.
  using Last = std::array<std::uint8_t, MessageClass::kPriorities>;

  /// @param params  Of each class; none: all are alike.
  ClassTurns(std::size_t classes, const std::vector<MessageClass>& params) {
    for (std::size_t priority = MessageClass::kPriorities; priority-- > 0;) {
      Level level{priority, 0};
      for (std::size_t c = 0; c < classes; ++c) {
        const std::size_t own = params.empty() ? 0 : params[c].priority;
        if (own == priority) level.classes |= std::uint32_t{1} << c;
      }
      if (level.classes != 0) levels_.push_back(level);
    }
  }

  /// Asks the classes in the order of their turns until send(class) says that it has sent.
  template <class Send>
  bool serve(Last& last, Send&& send) const {
    for (const Level& level : levels_) {
      unsigned c = last[level.priority];
      for (std::uint32_t rest = level.classes; rest != 0; rest &= ~(std::uint32_t{1} << c)) {
        c = round_robin(rest, c);
        if (!send(c)) continue;
        last[level.priority] = static_cast<std::uint8_t>(c);
        return true;
      }
    }
    return false;
  }

 private:
  struct Level {
    std::size_t priority = 0;
    std::uint32_t classes = 0;
  };
  std::vector<Level> levels_;  // By falling priority.
};

}  // namespace flitcast
