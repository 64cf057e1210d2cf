// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "base/sequences.h"
#include "clos/catalog.h"
#include "clos/strategies/remainder.h"

namespace flitcast::clos {
namespace {

void intersect(const SetWord* a, const SetWord* b, SetWord* result, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) result[w] = a[w] & b[w];
}

/// S2: as few middle switches as possible. Of several smallest sets it takes the one whose
/// ascending indices come first in lexicographic order; they serve in that order.
///
/// Theorem 3 covers it as it covers S1, whose routes are never shorter.
/// Time: minimum set cover is NP-hard, and the search is exact: in the worst case it tries all sets
/// of up to x of c candidates, x the minimum; tails that cannot serve the rest are cut off. Random
/// states of 100 middle switches and 64 output switches take 30 us with half of the links busy (x =
/// 3), seconds with four fifths busy (x = 7). By Theorem 1 a request without a route is detected
/// without a search.
/// Source: CS838 lecture notes (1999), Strategy 2, which leaves the choice among minima open.
class FewestMiddles : public Strategy {
 public:
  explicit FewestMiddles(const StrategyContext& context)
      : pass_limit_(context.pass_limit),
        residuals_(context.structure.m, context.structure.r2),
        tails_(context.structure.m, context.structure.r2),
        rests_(1, BitSet(context.structure.r2)),
        route_rest_(context.structure.r2) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    selection.clear();
    list_useful(request);
    intersect_tails();
    const std::size_t words = residuals_.stride();
    const bool routable =
        !useful_.empty() && are_disjoint(request.wanted.words(), tails_.row(0), words);
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
  }

 private:
  void list_useful(const SelectionRequest& request) {
    useful_.clear();
    const std::size_t words = residuals_.stride();
    request.candidates.for_each([&](std::size_t j) {
      SetWord* residual = residuals_.row(useful_.size());
      intersect(request.busy.row(j), request.wanted.words(), residual, words);
      // True if an earlier candidate leaves unserved only output switches that this one leaves,
      // too: in a cover it can replace this one, and the set is no larger and comes earlier.
      const bool dominated = any_of(numbers(useful_.size()), [&](std::size_t i) {
        return is_subset(residuals_.row(i), residual, words);
      });
      if (!dominated) useful_.push_back(j);
    });
  }

  void intersect_tails() {
    const std::size_t words = residuals_.stride();
    for (std::size_t i = useful_.size(); i-- > 0;) {
      const SetWord* later = i + 1 < useful_.size() ? tails_.row(i + 1) : residuals_.row(i);
      intersect(residuals_.row(i), later, tails_.row(i), words);
    }
  }

  /// Finds `left` useful candidates, from number `from` on, that together serve rests_[depth].
  bool search(std::size_t depth, std::size_t from, std::size_t left) {
    const std::size_t words = residuals_.stride();
    const SetWord* rest = rests_[depth].words();
    for (std::size_t i = from; i + left <= useful_.size(); ++i) {
      if (!are_disjoint(rest, tails_.row(i), words)) return false;
      chosen_[depth] = i;
      if (left == 1) {
        if (are_disjoint(rest, residuals_.row(i), words)) return true;
        continue;
      }
      intersect(rest, residuals_.row(i), rests_[depth + 1].words(), words);
      if (search(depth + 1, i + 1, left - 1)) return true;
    }
    return false;
  }

  std::size_t pass_limit_;
  // Middle switches that a first minimum can contain, in ascending order.
  std::vector<std::size_t> useful_;
  BitMatrix residuals_;  // Row i: M_j & I of the useful candidate i.
  BitMatrix tails_;      // Row i: intersection of the residuals i, i + 1, ...
  // Indexed by depth: output switches not served by the candidates chosen so far.
  std::vector<BitSet> rests_;
  std::vector<std::size_t> chosen_;  // Indexed by depth: an index into useful_.
  Remainder route_rest_;
};

}  // namespace

StrategyEntry fewest_middles() {
  return {{"S2", "fewest middle switches (exact, exponential time)", {}, makes<FewestMiddles>()},
          Decides::kBySizes,
          2};
}

}  // namespace flitcast::clos
