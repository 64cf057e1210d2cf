// SPDX-License-Identifier: Apache-2.0
// A user's Clos strategy: the highest middle switches first.
#include "extension.h"

namespace {

using namespace flitcast;
using namespace flitcast::clos;

/// Goes once through the candidates in falling order and takes each that serves an output switch
/// not yet served. Without a pass limit it blocks only if no route exists. Time: O(candidates *
/// r2).
class LastFit : public Strategy {
 public:
  explicit LastFit(const StrategyContext& context)
      : pass_limit_(context.pass_limit), middles_(context.structure.m) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    selection.clear();
    BitSet rest = request.wanted;
    for (std::size_t j = middles_; j-- > 0 && rest.any();) {
      if (pass_limit_ != 0 && selection.size() == pass_limit_) break;
      if (request.candidates.test(j)) serve(j, request.busy, rest, selection);
    }
    if (rest.any()) selection.block();
    selection.set_passes(selection.size());
  }

 private:
  static void serve(std::size_t j, const BitMatrix& busy, BitSet& rest, Selection& selection) {
    bool first = true;
    const BitSet wanted = rest;
    wanted.for_each([&](std::size_t k) {
      if (busy.test(j, k)) return;
      if (first) selection.add(MiddleId(j), k);
      if (!first) selection.extend(selection.size() - 1, k);
      first = false;
      rest.reset(k);
    });
  }

  std::size_t pass_limit_;
  std::size_t middles_;
};

}  // namespace

flitcast::clos::StrategyEntry last_fit_strategy() {
  return {{"LF", "last fit: the highest middle switches first", {}, makes<LastFit>()},
          Decides::kByOutputs};
}
