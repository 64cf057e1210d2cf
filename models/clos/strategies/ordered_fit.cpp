// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/catalog.h"
#include "clos/strategies/remainder.h"

namespace flitcast::clos {
namespace {

using Middles = std::vector<std::uint32_t>;

/// Puts the candidates, which ascend, into the order in which a strategy visits them.
using Arrange = std::function<void(const BitMatrix& busy, Middles& candidates)>;

/// FF: the candidates in ascending order. The simplest hardware: a priority encoder, no counting.
Arrange rising(const StrategyContext&) {
  return [](const BitMatrix&, Middles&) {};
}

/// RND: the candidates shuffled for every request (Fisher and Yates, from the last position), by a
/// separate stream of the experiment's seed.
Arrange shuffled(const StrategyContext& context) {
  return [random = Random(context.seed ^ 0x5555)](const BitMatrix&, Middles& candidates) mutable {
    for (std::size_t places = candidates.size(); places > 1; --places) {
      const std::uint32_t chosen = draw(random, places);
      std::swap(candidates[places - 1], candidates[chosen]);
    }
  };
}

/// MU: the candidates by descending |M_j|, equal ones in ascending order. Packs connections closely
/// and keeps middle switches empty, as the unicast rule of this name does.
Arrange most_used(const StrategyContext& context) {
  std::vector<std::size_t> sizes(context.structure.m);  // |M_j|, indexed by j.
  return [sizes](const BitMatrix& busy, Middles& candidates) mutable {
    for (const std::uint32_t j : candidates) {
      sizes[j] = 0;
      for (std::size_t w = 0; w < busy.stride(); ++w) sizes[j] += popcount(busy.row(j)[w]);
    }
    std::sort(candidates.begin(), candidates.end(), [&sizes](std::uint32_t a, std::uint32_t b) {
      return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
    });
  };
}

/// Visits the candidates once in some order and takes each that serves any of the rest.
///
/// A request may use one middle switch per output switch where a single one would do: Theorem 3
/// does not cover it. Without a pass limit it is blocked only if no route exists.
/// Time: O(candidates * ceil(r2 / 64)), plus the ordering.
template <Arrange arrange(const StrategyContext&)>
class OrderedFit : public Strategy {
 public:
  explicit OrderedFit(const StrategyContext& context)
      : pass_limit_(context.pass_limit), rest_(context.structure.r2), arrange_(arrange(context)) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    candidates_.clear();
    request.candidates.for_each(
        [this](std::size_t j) { candidates_.push_back(static_cast<std::uint32_t>(j)); });
    arrange_(request.busy, candidates_);

    selection.clear();
    rest_.start(request.wanted);
    for (const std::uint32_t j : candidates_) {
      if (rest_.empty() || (pass_limit_ != 0 && selection.size() == pass_limit_)) break;
      if (rest_.shrinks_by(request.busy.row(j))) rest_.serve(j, request.busy.row(j), selection);
    }
    if (!rest_.empty()) selection.block();
  }

 private:
  std::size_t pass_limit_;
  Remainder rest_;
  Arrange arrange_;
  Middles candidates_;
};

template <Arrange arrange(const StrategyContext&)>
StrategyEntry fit(const char* name, const char* summary, Decides decides) {
  return {{name, summary, {}, makes<OrderedFit<arrange>>()}, decides};
}

}  // namespace

std::vector<StrategyEntry> ordered_fits() {
  return {fit<rising>("FF", "first fit: every middle switch that serves any of the rest",
                      Decides::kBySizes),
          fit<shuffled>("RND", "first fit in random order", Decides::kAtRandom),
          fit<most_used>("MU", "first fit, most used middle switch first", Decides::kBySizes)};
}

}  // namespace flitcast::clos
