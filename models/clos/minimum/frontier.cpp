// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/frontier.h"

namespace flitcast::clos {

Frontier::Frontier(SearchOrder order, std::size_t scores) : order_(order), by_score_(scores) {}

void Frontier::add(StateId id, std::size_t score) {
  ++waiting_;
  if (needs_scores()) by_score_[score].push_back(id);
}

StateId Frontier::take() {
  --waiting_;
  if (!needs_scores()) return next_++;
  std::size_t score = by_score_.size() - 1;
  while (by_score_[score].empty()) --score;
  const StateId id = by_score_[score].back();
  by_score_[score].pop_back();
  return id;
}

}  // namespace flitcast::clos
