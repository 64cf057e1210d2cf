// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/minimum/search_limits.h"
#include "clos/minimum/state_set.h"

namespace flitcast::clos {

/// The states of a search that wait to be looked at. Ids are added in their order, from 0.
class Frontier {
 public:
  /// @param scores  More than the largest score.
  Frontier(SearchOrder order, std::size_t scores);

  /// Only scores of kFullestFirst matter.
  bool needs_scores() const { return order_ == SearchOrder::kFullestFirst; }
  void add(StateId id, std::size_t score);
  bool empty() const { return waiting_ == 0; }
  StateId take();
  std::uint64_t bytes() const;

 private:
  SearchOrder order_;
  std::size_t waiting_ = 0;
  StateId next_ = 0;  // Of kShortestFirst: all from here on wait.
  std::vector<std::vector<StateId>> by_score_;
};

}  // namespace flitcast::clos
