// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/random_split.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/random.h"

namespace flitcast::clos {
namespace {

constexpr int kAttempts = 4;

}  // namespace

RandomSplit::RandomSplit(std::unique_ptr<Strategy> other, std::size_t most_middles,
                         std::uint64_t seed)
    : other_(std::move(other)), most_middles_(most_middles), random_(seed) {
  if (most_middles_ == 0) {
    throw std::invalid_argument("a random split is over 0 middle switches; take at least 1");
  }
}

void RandomSplit::select(const SelectionRequest& request, Selection& selection) {
  if (below(2) == 0) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (!split(request, selection)) continue;
      ++split_count_;
      return;
    }
  }
  other_->select(request, selection);
}

// Assigns the wanted output switches to randomly drawn middle switches whose links are free; false
// if none of them can serve one.
bool RandomSplit::split(const SelectionRequest& request, Selection& selection) {
  middles_.clear();
  request.candidates.for_each(
      [&](std::size_t middle) { middles_.push_back(static_cast<std::uint32_t>(middle)); });
  if (middles_.empty()) return false;
  const std::size_t places = 1 + below(std::min(most_middles_, middles_.size()));
  for (std::size_t t = 0; t < places; ++t) {
    std::swap(middles_[t], middles_[t + below(middles_.size() - t)]);
  }
  served_.assign(places, BitSet(request.wanted.size()));
  bool complete = true;
  request.wanted.for_each([&](std::size_t k) {
    usable_.clear();
    for (std::size_t t = 0; t < places; ++t) {
      if (!request.busy.test(middles_[t], k)) usable_.push_back(t);
    }
    if (usable_.empty()) {
      complete = false;
    } else {
      served_[usable_[below(usable_.size())]].set(k);
    }
  });
  if (!complete) return false;
  selection.clear();
  for (std::size_t t = 0; t < places; ++t) {
    if (served_[t].any()) selection.add(MiddleId{middles_[t]}, served_[t].words());
  }
  selection.set_passes(selection.size());
  return true;
}

std::size_t RandomSplit::below(std::size_t bound) {
  return draw(random_, static_cast<std::uint32_t>(bound));
}

}  // namespace flitcast::clos
