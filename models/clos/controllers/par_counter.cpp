// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "clos/catalog.h"
#include "clos/controllers/controller.h"

namespace flitcast::clos {
namespace {

/// Parallel counter: one counter per middle switch; all of them read the same bit of their sets,
/// bit 0 first. A tree of comparators finds the least count in the UPDATE clock.
///
///   r = 3               scan                 | UPDATE
///   edge       1        2      3      4      | 5        6
///   looks at   LOAD     M_*.0  M_*.1  M_*.2  | counts   next pass
///   after it   U        counts counts counts | beat, U
///
/// Clocks of a pass: r + 1.
/// Registers: m counters of ceil(log2(r + 1)) bits, the index of the bit. Gates: O(m log r). The
/// minimum has no clock of its own: its depth, O(log m log log r), is in the period of the clock.
/// Source: CS838 lecture notes (1999), "Parall./Counter", which leaves the minimum's depth out.
class ParCounter : public MinimumSearch {
 public:
  explicit ParCounter(std::size_t m) : counts_(m, 0) {}

  void begin() override {
    bit_ = 0;
    std::fill(counts_.begin(), counts_.end(), 0);
  }

  bool scan(const SelectionRequest& pass) override {
    if (bit_ == pass.busy.columns()) return false;
    const bool unsatisfied = pass.wanted.test(bit_);
    for (std::size_t j = 0; j < counts_.size(); ++j) {
      counts_[j] += unsatisfied && pass.busy.test(j, bit_) ? 1 : 0;
    }
    ++bit_;
    return true;
  }

  Choice choice(const SelectionRequest& pass) const override {
    Choice best;
    pass.candidates.for_each([&](std::size_t j) { best.consider(j, counts_[j]); });
    return best;
  }

 private:
  std::size_t bit_ = 0;
  std::vector<std::size_t> counts_;
};

}  // namespace

ControllerEntry par_counter() {
  return {"par_counter",
          "a counter per middle switch, one bit of every destination set per clock",
          {},
          {[](std::uint64_t, std::uint64_t r) { return r + 1; },
           [](std::size_t m, std::size_t) { return std::make_unique<ParCounter>(m); }}};
}

}  // namespace flitcast::clos
