// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/controllers/controller.h"

namespace flitcast::clos {
namespace {

/// Sequential counter: one counter reads one bit of one destination set per clock, bit 0 first. In
/// the clock of a set's last bit the comparator sees the count including that bit.
///
///   m = 2, r = 2        scan                        | UPDATE
///   edge       1        2      3      4      5      | 6        7
///   looks at   LOAD     M_0.0  M_0.1  M_1.0  M_1.1  |          next pass
///   after it   U        count  best   count  best   | beat, U
///
/// Clocks of a pass: m r + 1, however soon a count exceeds the best one.
///
/// With pruning the scan leaves a set in the first clock that shows that it cannot be selected: in
/// that of bit 0 if the middle switch is not available, else in that of the bit that makes the
/// count as large as the best one (bit 0 when that is 0). The next clock reads bit 0 of the next
/// set. The selection is the same; a pass takes from m + 1 to m r + 1 clocks: 1, plus for each set
/// 1 if not available, else the number of bits read.
/// Registers: indices of set and bit, a counter of ceil(log2(r + 1)) bits, the best count and its
/// index. Gates: O(log r), and O(log m + log r) with the indices that the lecture leaves out.
/// Source: CS838 lecture notes (1999), "Seq./Counter".
class SeqCounter : public MinimumSearch {
 public:
  explicit SeqCounter(bool pruning) : pruning_(pruning) {}

  void begin() override {
    j_ = 0;
    bit_ = 0;
    count_ = 0;
    best_ = {};
  }

  bool scan(const SelectionRequest& pass) override {
    if (j_ == pass.busy.rows()) return false;
    count_ += pass.busy.test(j_, bit_) && pass.wanted.test(bit_) ? 1 : 0;
    if (++bit_ == pass.busy.columns() || (pruning_ && cannot_win(pass))) finish_set(pass);
    return true;
  }

  Choice choice(const SelectionRequest&) const override { return best_; }

 private:
  bool cannot_win(const SelectionRequest& pass) const {
    return !pass.candidates.test(j_) || count_ >= best_.left;
  }

  void finish_set(const SelectionRequest& pass) {
    if (pass.candidates.test(j_)) best_.consider(j_, count_);
    ++j_;
    bit_ = 0;
    count_ = 0;
  }

  const bool pruning_;
  std::size_t j_ = 0;
  std::size_t bit_ = 0;
  std::size_t count_ = 0;
  Choice best_;
};

ControllerDesign design(bool pruning) {
  return {[](std::uint64_t m, std::uint64_t r) { return m * r + 1; },
          [pruning](std::size_t, std::size_t) { return std::make_unique<SeqCounter>(pruning); }};
}

}  // namespace

ControllerEntry seq_counter() {
  return {
      "seq_counter", "one counter, one bit of one destination set per clock", {}, design(false)};
}

ControllerDesign pruned_seq_counter() { return design(true); }

}  // namespace flitcast::clos
