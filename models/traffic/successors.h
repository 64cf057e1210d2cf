// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "traffic/trace.h"

namespace flitcast {

/// By task of a trace: the tasks that wait for it, contiguous in memory.
class Successors {
 public:
  Successors(std::size_t task_count, const std::vector<TraceDependency>& dependencies)
      : begins_(task_count + 1), after_(dependencies.size()) {
    for (const TraceDependency& dependency : dependencies) ++begins_[dependency.before];
    std::size_t sum = 0;
    for (std::size_t& begin : begins_) begin = sum += begin;
    // Here every begin points to the end of its range; it moves to the front while the range fills
    // backwards.
    for (std::size_t i = dependencies.size(); i-- > 0;) {
      after_[--begins_[dependencies[i].before]] = dependencies[i].after;
    }
  }

  Span<std::uint32_t> of(std::uint32_t task) const {
    return {after_.data() + begins_[task], after_.data() + begins_[task + 1]};
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> after_;
};

/// By task: the number of tasks for which it waits.
inline std::vector<std::uint32_t> predecessor_counts(
    std::size_t task_count, const std::vector<TraceDependency>& dependencies) {
  std::vector<std::uint32_t> counts(task_count);
  for (const TraceDependency& dependency : dependencies) ++counts[dependency.after];
  return counts;
}

}  // namespace flitcast
