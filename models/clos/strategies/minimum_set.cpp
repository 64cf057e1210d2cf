// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/minimum_set.h"

#include <algorithm>

namespace flitcast::clos {
namespace {

bool subset(const SetWord* part, const SetWord* whole, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((part[w] & ~whole[w]) != 0) return false;
  }
  return true;
}

bool disjoint(const SetWord* a, const SetWord* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((a[w] & b[w]) != 0) return false;
  }
  return true;
}

void intersect(const SetWord* a, const SetWord* b, SetWord* result, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) result[w] = a[w] & b[w];
}

}  // namespace

MinimumSet::MinimumSet(std::size_t middle_switches, std::size_t output_switches,
                       std::size_t pass_limit)
    : pass_limit_(pass_limit),
      residuals_(middle_switches, output_switches),
      tails_(middle_switches, output_switches),
      rests_(1, BitSet(output_switches)),
      route_rest_(output_switches) {}

void MinimumSet::select(const ControlRequest& request, Selection& selection) {
  selection.clear();
  list_useful(request);
  intersect_tails();
  const std::size_t words = residuals_.stride();
  const bool routable = !useful_.empty() && disjoint(request.wanted.words(), tails_.row(0), words);
  if (!routable) return selection.block();

  // A minimum has at most one middle switch for each output switch.
  const std::size_t most =
      std::min(useful_.size(), pass_limit_ == 0 ? useful_.size() : pass_limit_);
  rests_[0] = request.wanted;
  std::size_t size = 1;
  for (; size <= most; ++size) {
    while (rests_.size() <= size) rests_.emplace_back(request.wanted.size());
    chosen_.assign(size, 0);
    if (search(0, 0, size)) break;
  }
  if (size > most) return selection.block();

  route_rest_.start(request.wanted);
  for (const std::size_t i : chosen_) {
    route_rest_.serve(useful_[i], request.busy.row(useful_[i]), selection);
  }
  selection.set_passes(selection.size());
}

void MinimumSet::list_useful(const ControlRequest& request) {
  useful_.clear();
  const std::size_t words = residuals_.stride();
  request.candidates.for_each([&](std::size_t j) {
    SetWord* residual = residuals_.row(useful_.size());
    intersect(request.busy.row(j), request.wanted.words(), residual, words);
    if (!dominated(residual)) useful_.push_back(j);
  });
}

// A lower candidate that serves as much would make a set with this one smaller or earlier.
bool MinimumSet::dominated(const SetWord* residual) const {
  for (std::size_t i = 0; i < useful_.size(); ++i) {
    if (subset(residuals_.row(i), residual, residuals_.stride())) return true;
  }
  return false;
}

void MinimumSet::intersect_tails() {
  const std::size_t words = residuals_.stride();
  for (std::size_t i = useful_.size(); i-- > 0;) {
    const SetWord* later = i + 1 < useful_.size() ? tails_.row(i + 1) : residuals_.row(i);
    intersect(residuals_.row(i), later, tails_.row(i), words);
  }
}

bool MinimumSet::search(std::size_t depth, std::size_t from, std::size_t left) {
  const std::size_t words = residuals_.stride();
  const SetWord* rest = rests_[depth].words();
  for (std::size_t i = from; i + left <= useful_.size(); ++i) {
    if (!disjoint(rest, tails_.row(i), words)) return false;
    chosen_[depth] = i;
    if (left == 1) {
      if (disjoint(rest, residuals_.row(i), words)) return true;
      continue;
    }
    intersect(rest, residuals_.row(i), rests_[depth + 1].words(), words);
    if (search(depth + 1, i + 1, left - 1)) return true;
  }
  return false;
}

}  // namespace flitcast::clos
