// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "clos/catalog.h"
#include "clos/controllers/controller.h"

namespace flitcast::clos {
namespace {

/// Sequential adder: one adder tree counts a whole destination set per clock, and the comparator
/// sees the count in the same clock.
///
///   m = 3               scan           | UPDATE
///   edge       1        2    3    4    | 5        6
///   looks at   LOAD     M_0  M_1  M_2  |          next pass
///   after it   U        best best best | beat, U
///
/// Clocks of a pass: m + 1. With w rows per clock, ceil(m / w) + 1: w trees of adders count w sets,
/// and w comparators take the least of their counts and the best one.
/// Registers: the index of the set, the best count and its index. Gates: O(w r), an adder tree
/// being r - popcount(r) full adders; depth O(log r + log w log log r).
/// Source: CS838 lecture notes (1999), "Seq./Adder"; w > 1 is not in it.
class SeqAdder : public MinimumSearch {
 public:
  explicit SeqAdder(std::size_t rows_per_clock) : rows_per_clock_(rows_per_clock) {}

  void begin() override {
    j_ = 0;
    best_ = {};
  }

  bool scan(const SelectionRequest& pass) override {
    const std::size_t m = pass.busy.rows();
    if (j_ == m) return false;
    for (const std::size_t end = std::min(j_ + rows_per_clock_, m); j_ < end; ++j_) {
      if (pass.candidates.test(j_)) best_.consider(j_, left_by(pass, j_));
    }
    return true;
  }

  Choice choice(const SelectionRequest&) const override { return best_; }

 private:
  const std::size_t rows_per_clock_;
  std::size_t j_ = 0;
  Choice best_;
};

}  // namespace

ControllerDesign seq_adder_of(std::size_t rows_per_clock) {
  if (rows_per_clock == 0) {
    throw std::invalid_argument(
        "a sequential adder of no rows per clock never ends; take 1 or more");
  }
  return {[rows_per_clock](std::uint64_t m, std::uint64_t) {
            return (m + rows_per_clock - 1) / rows_per_clock + 1;
          },
          [rows_per_clock](std::size_t, std::size_t) {
            return std::make_unique<SeqAdder>(rows_per_clock);
          }};
}

ControllerEntry seq_adder() {
  return {"seq_adder", "one tree of adders, one destination set per clock", {}, seq_adder_of(1)};
}

}  // namespace flitcast::clos
