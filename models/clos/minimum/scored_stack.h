// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/minimum/state_set.h"

namespace flitcast::clos {

/// States that wait to be looked at: the highest score first, of equals the newest.
class ScoredStack {
 public:
  /// @param scores  More than the largest score.
  explicit ScoredStack(std::size_t scores) : by_score_(scores) {}

  void add(StateId id, std::size_t score) { by_score_[score].push_back(id); }
  /// Of a stack that is not empty.
  StateId take() {
    std::size_t score = by_score_.size() - 1;
    while (by_score_[score].empty()) --score;
    const StateId id = by_score_[score].back();
    by_score_[score].pop_back();
    return id;
  }
  std::uint64_t bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& states : by_score_) bytes += states.capacity() * sizeof(StateId);
    return bytes;
  }

 private:
  std::vector<std::vector<StateId>> by_score_;
};

}  // namespace flitcast::clos
