// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/strategies/remainder.h"

namespace flitcast::clos {

// The inner strategies: S1 and S2.
StrategyEntry fewest_unserved();
StrategyEntry fewest_middles();

namespace {

/// S3 and S3m: uses an empty middle switch (M_j = {}) only if necessary. Another strategy (S1 for
/// S3, S2 for S3m) decides over the nonempty candidates; if it blocks the request, it decides over
/// all of them, and an empty one carries everything. The passes of both decisions count.
///
/// Theorem 3 does not cover it: no limit on the middle switches of a connection follows (derived).
/// Source: CS838 lecture notes (1999), Strategy 3.
template <StrategyEntry inner_entry()>
class NonemptyFirst : public Strategy {
 public:
  explicit NonemptyFirst(const StrategyContext& context)
      : inner_(inner_entry().make(context)), nonempty_(context.structure.m) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    keep_nonempty(request, nonempty_);
    inner_->select({request.wanted, nonempty_, request.busy}, selection);
    if (!selection.blocked()) return;
    const std::size_t in_vain = selection.passes();
    inner_->select(request, selection);
    selection.set_passes(in_vain + selection.passes());
  }

 private:
  std::unique_ptr<Strategy> inner_;
  BitSet nonempty_;
};

}  // namespace

std::vector<StrategyEntry> nonempty_first() {
  return {{{"S3",
            "S1 over nonempty middle switches; an empty one if they do not suffice",
            {},
            makes<NonemptyFirst<fewest_unserved>>()},
           Decides::kBySizes},
          {{"S3m", "as S3 with S2 inside", {}, makes<NonemptyFirst<fewest_middles>>()},
           Decides::kBySizes,
           2}};
}

}  // namespace flitcast::clos
