// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "router/bit_mask.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast {

/// Selects the message class that sends next on the channel of a node's port.
class ClassTurns {
 public:
  /// The class that sent last, per priority.
  using Last = std::array<std::uint8_t, MessageClass::kPriorities>;

  /// @param params  One per class; empty: all classes have the same priority.
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

  /// Calls send(class) for the classes in turn until send() returns true because the class has sent
  /// a flit.
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
  std::vector<Level> levels_;  // Highest priority first.
};

}  // namespace flitcast
