// SPDX-License-Identifier: Apache-2.0
#include <Vflit_fifo_1.h>
#include <Vflit_fifo_2.h>
#include <Vflit_fifo_5.h>

#include <deque>
#include <random>

#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace {

constexpr unsigned kFlitValues = 128;  // Seven bits in every model.

/// The rule: ready while there is a free slot, valid while there is a flit, oldest flit first.
template <class Model>
class FifoBench {
 public:
  explicit FifoBench(std::size_t depth) : depth_(depth) { reset(); }

  void reset() {
    slots_.clear();
    bench_->in_valid_i = false;
    bench_->out_ready_i = false;
    bench_.reset();
  }

  /// A cycle in which source and sink take part if they are willing; checks it against the rule.
  void cycle(bool source, bool sink) {
    const unsigned flit = random_() % kFlitValues;
    bench_->in_valid_i = source;
    bench_->in_flit_i = static_cast<CData>(flit);
    bench_->out_ready_i = sink;
    bench_.settle();
    REQUIRE(bench_->count_o == slots_.size());
    REQUIRE(bool{bench_->in_ready_o != 0} == (slots_.size() < depth_));
    REQUIRE(bool{bench_->out_valid_o != 0} == !slots_.empty());
    if (!slots_.empty()) REQUIRE(bench_->out_flit_o == slots_.front());
    const bool accepted = source && slots_.size() < depth_;
    if (sink && !slots_.empty()) {
      slots_.pop_front();
      ++delivered;
    }
    if (accepted) slots_.push_back(flit);
    bench_.edge();
  }

  bool coin(unsigned percent) { return random_() % 100 < percent; }

  unsigned delivered = 0;

 private:
  std::size_t depth_;
  std::deque<unsigned> slots_;
  std::mt19937 random_{3};
  flitcast::VerilatedBench<Model> bench_;
};

template <class Model>
void check_random_stalls(std::size_t depth) {
  FifoBench<Model> bench(depth);
  for (const unsigned willing : {20U, 50U, 80U}) {
    for (int cycle = 0; cycle < 3000; ++cycle) {
      bench.cycle(bench.coin(willing), bench.coin(100 - willing));
      if (bench.coin(1)) bench.reset();
    }
  }
  CHECK(bench.delivered > 1500);
}

template <class Model>
unsigned delivered_in_100_cycles(std::size_t depth) {
  FifoBench<Model> bench(depth);
  for (int cycle = 0; cycle < 100; ++cycle) bench.cycle(true, true);
  return bench.delivered;
}

}  // namespace

TEST_CASE("a FIFO in RTL follows the rule under random stalls and resets", "[rtl]") {
  check_random_stalls<Vflit_fifo_1>(1);
  check_random_stalls<Vflit_fifo_2>(2);
  check_random_stalls<Vflit_fifo_5>(5);
}

TEST_CASE("a FIFO in RTL of two slots or more takes one flit per cycle", "[rtl]") {
  CHECK(delivered_in_100_cycles<Vflit_fifo_2>(2) == 99);  // 100 cycles less 1 of latency.
  CHECK(delivered_in_100_cycles<Vflit_fifo_5>(5) == 99);
}

TEST_CASE("a FIFO in RTL of one slot takes a flit every other cycle", "[rtl]") {
  CHECK(delivered_in_100_cycles<Vflit_fifo_1>(1) == 50);
}
