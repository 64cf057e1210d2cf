// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/controllers/controller.h"

namespace flitcast::clos {
namespace {

/// Parallel adder: one adder tree per middle switch and a tree of comparators behind them, all in
/// the UPDATE clock. There is no scan and no additional register.
///
///   edge       1        2        3
///   looks at   LOAD     UPDATE   UPDATE
///   after it   U        beat, U  beat, U
///
/// Clocks of a pass: 1. Gates: O(m r). Depth of a pass: O(log r + log m log log r), which the
/// lecture counts as gate delays instead of clocks. With thermometer codes in the place of the
/// adders (par_thermo) the gates differ, and neither the clocks nor the selection.
/// Source: CS838 lecture notes (1999), "Parall./Adder".
class ParAdder : public MinimumSearch {
 public:
  void begin() override {}
  bool scan(const SelectionRequest&) override { return false; }
  Choice choice(const SelectionRequest& pass) const override {
    Choice best;
    pass.candidates.for_each([&](std::size_t j) { best.consider(j, left_by(pass, j)); });
    return best;
  }
};

ControllerDesign one_clock_a_pass() {
  return {[](std::uint64_t, std::uint64_t) { return std::uint64_t{1}; },
          [](std::size_t, std::size_t) { return std::make_unique<ParAdder>(); }};
}

}  // namespace

std::vector<ControllerEntry> parallel_adders() {
  return {
      {"par_adder", "a tree of adders per middle switch, a pass per clock", {}, one_clock_a_pass()},
      {"par_thermo",
       "thermometer codes instead of adders, a pass per clock",
       {},
       one_clock_a_pass()}};
}

}  // namespace flitcast::clos
