// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/strategies/remainder.h"

namespace flitcast::clos {
namespace {

/// S3r: S1 over the nonempty candidates until none serves any of the rest; the lowest empty one
/// serves the remainder. Unlike S3 it keeps the legs on the nonempty ones.
///
/// Theorem 3 does not cover it: no limit on the middle switches of a connection follows (derived).
/// Source: CS838 lecture notes (1999), Strategy 3, which does not say whether the nonempty middle
/// switches still serve a part when they cannot serve all.
class EmptyForRest : public Strategy {
 public:
  explicit EmptyForRest(const StrategyContext& context)
      : pass_limit_(context.pass_limit),
        nonempty_(context.structure.m),
        empty_(context.structure.m),
        rest_(context.structure.r2) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    const BitMatrix& busy = request.busy;
    keep_nonempty(request, nonempty_);
    empty_ = request.candidates;
    empty_ -= nonempty_;

    selection.clear();
    rest_.start(request.wanted);
    std::size_t unserved = request.wanted.count();
    while (unserved > 0 && (pass_limit_ == 0 || selection.size() < pass_limit_)) {
      auto best = rest_.least_residual(nonempty_, busy);
      if (best.residual >= unserved) best = {empty_.first(), 0};
      if (best.middle == empty_.size()) break;
      rest_.serve(best.middle, busy.row(best.middle), selection);
      unserved = best.residual;
    }
    if (unserved > 0) selection.block();
  }

 private:
  std::size_t pass_limit_;
  BitSet nonempty_;
  BitSet empty_;
  Remainder rest_;
};

}  // namespace

StrategyEntry empty_for_rest() {
  return {{"S3r", "as S3, but the empty one serves only the rest", {}, makes<EmptyForRest>()},
          Decides::kBySizes};
}

}  // namespace flitcast::clos
