// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"

namespace flitcast::clos {
namespace {

// Returns the lowest of these middle switches whose link to the output switch is free, or m.
std::size_t lowest_free(const BitSet& middles, const BitMatrix& busy, std::size_t output_switch) {
  return middles.find([&](std::size_t j) { return !busy.test(j, output_switch); });
}

std::size_t leg_of(std::size_t middle, const Selection& selection) {
  std::size_t leg = 0;
  while (selection.middle(leg) != MiddleId(middle)) ++leg;
  return leg;
}

/// SPREAD: uses many middle switches, to show how bad a legal strategy can be. Each output switch,
/// in ascending order, goes to the lowest candidate with a free link to it that the request does
/// not use yet, else to the lowest one that it uses.
///
/// Once the pass limit is reached, only the middle switches in use count; a request may then be
/// blocked although a route within the limit exists.
/// Time: O(r' * candidates).
class Spread : public Strategy {
 public:
  explicit Spread(const StrategyContext& context)
      : pass_limit_(context.pass_limit), used_(context.structure.m), unused_(context.structure.m) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    selection.clear();
    used_.clear();
    unused_ = request.candidates;
    bool served = true;
    request.wanted.for_each(
        [&](std::size_t k) { served = served && serve(k, request.busy, selection); });
    if (!served) selection.block();
  }

 private:
  bool serve(std::size_t output_switch, const BitMatrix& busy, Selection& selection) {
    if (pass_limit_ == 0 || selection.size() < pass_limit_) {
      const std::size_t j = lowest_free(unused_, busy, output_switch);
      if (j < unused_.size()) {
        unused_.reset(j);
        used_.set(j);
        selection.add(MiddleId(j), output_switch);
        return true;
      }
    }
    const std::size_t j = lowest_free(used_, busy, output_switch);
    if (j == used_.size()) return false;
    selection.extend(leg_of(j, selection), output_switch);
    return true;
  }

  std::size_t pass_limit_;
  BitSet used_;    // Candidates in the route.
  BitSet unused_;  // Other candidates.
};

}  // namespace

StrategyEntry spread() {
  return {{"SPREAD", "a middle switch for every output switch (worst case)", {}, makes<Spread>()},
          Decides::kByOutputs};
}

}  // namespace flitcast::clos
