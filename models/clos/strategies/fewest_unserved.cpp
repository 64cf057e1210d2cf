// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/strategies/remainder.h"

namespace flitcast::clos {
namespace {

/// S1, the linear control algorithm: each pass takes the middle switch that leaves the fewest
/// output switches unserved, the lowest of several.
///
/// Without a pass limit a request is blocked only if no route exists. With m of Theorem 3, its x as
/// the limit, and every live connection on at most x middle switches, no request is blocked.
/// Time: O(passes * candidates * ceil(r2 / 64)), nothing allocated.
/// Source: CS838 lecture notes (1999), "A linear routing control algorithm" and Strategy 1; Yang
/// and Masson, IEEE Transactions on Computers 40 (1991). The printed loop does not end if no
/// candidate serves any of the rest; here the request is blocked then. The source leaves the choice
/// among several minima open.
class FewestUnserved : public Strategy {
 public:
  explicit FewestUnserved(const StrategyContext& context)
      : pass_limit_(context.pass_limit), rest_(context.structure.r2) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    switch (request.wanted.word_count()) {
      case 1:
        return run<1>(request, selection);
      case 2:
        return run<2>(request, selection);
      default:
        return run<0>(request, selection);
    }
  }

 private:
  template <std::size_t kWords>
  [[gnu::noinline]] void run(const SelectionRequest& request, Selection& selection) {
    selection.clear();
    rest_.start<kWords>(request.wanted);
    while (!rest_.empty<kWords>()) {
      const auto best = rest_.least_residual<kWords>(request.candidates, request.busy);
      const bool progress = best.residual == 0 || best.residual < rest_.count();
      if (!progress || (pass_limit_ != 0 && selection.size() == pass_limit_)) {
        selection.set_passes(selection.size() + 1);
        return selection.block();
      }
      rest_.serve<kWords>(best.middle, request.busy.row(best.middle), selection);
    }
  }

  std::size_t pass_limit_;
  Remainder rest_;
};

}  // namespace

StrategyEntry fewest_unserved() {
  return {{"S1",
           "fewest output switches left unserved: the linear control",
           {},
           makes<FewestUnserved>()},
          Decides::kBySizes};
}

}  // namespace flitcast::clos
