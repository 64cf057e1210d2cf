// SPDX-License-Identifier: Apache-2.0
#include <Vflit_fifo_1.h>
#include <Vflit_fifo_2.h>
#include <Vflit_fifo_300.h>
#include <Vflit_fifo_5.h>
#include <Vflit_fifo_ram_1.h>
#include <Vflit_fifo_ram_5.h>

#include <deque>
#include <random>

#include "cosim/faults.h"

using namespace flitcast;

namespace {

constexpr unsigned kFlitValues = 128;  // Flits have seven bits in every model.

/// Reference: the FIFO is ready while it has a free slot, valid while it has a flit, and returns
/// the oldest flit first.
template <class Top>
class FifoCosim {
 public:
  explicit FifoCosim(std::size_t depth) : depth_(depth) { rtl_.reset(); }

  /// The probabilities of source and sink vary, so that the FIFO fills and drains.
  void drive() {
    if (random_() % 100 == 0) willing_ = 20 + 30 * (random_() % 3);
    drive(random_() % 100 < willing_, random_() % 100 >= willing_, random_() % 200 != 0);
  }

  void drive(bool source, bool sink, bool rst_n) {
    flit_ = static_cast<unsigned>(random_() % kFlitValues);
    push_ = source && slots_.size() < depth_;
    pop_ = sink && !slots_.empty();
    rtl_->rst_ni = rst_n;
    rtl_->in_valid_i = source;
    rtl_->in_flit_i = static_cast<CData>(flit_);
    rtl_->out_ready_i = sink;
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    lockstep.compare("in_ready_o", 0, slots_.size() < depth_, rtl_->in_ready_o);
    lockstep.compare("out_valid_o", 0, !slots_.empty(), rtl_->out_valid_o);
    lockstep.compare("count_o", 0, slots_.size(), rtl_->count_o);
    if (!slots_.empty()) lockstep.compare("out_flit_o", 0, slots_.front(), rtl_->out_flit_o);
  }

  void edge() {
    if (pop_) slots_.pop_front();
    if (push_) slots_.push_back(flit_);
    if (rtl_->rst_ni == 0) slots_.clear();
    rtl_.edge();
  }

  bool delivers() const { return pop_; }
  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  const std::size_t depth_;
  std::deque<unsigned> slots_;
  unsigned flit_ = 0;
  bool push_ = false;
  bool pop_ = false;
  unsigned long willing_ = 50;
  std::mt19937 random_{3};
  VerilatedBench<Top> rtl_;
};

auto of_300() { return FifoCosim<Vflit_fifo_300>(300); }
auto of_5() { return FifoCosim<Vflit_fifo_5>(5); }
auto of_2() { return FifoCosim<Vflit_fifo_2>(2); }
auto of_1() { return FifoCosim<Vflit_fifo_1>(1); }
auto ram_of_5() { return FifoCosim<Vflit_fifo_ram_5>(5); }
auto ram_of_1() { return FifoCosim<Vflit_fifo_ram_1>(1); }

template <class MakeBench>
unsigned delivered_in_100_cycles(const MakeBench& make) {
  auto bench = make();
  Lockstep lockstep;
  unsigned delivered = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    bench.drive(true, true, true);
    bench.compare(lockstep);
    bench.edge();
    if (bench.delivers()) ++delivered;
  }
  CHECK_FALSE(lockstep.first_difference());
  return delivered;
}

}  // namespace

TEST_CASE("a FIFO in RTL follows the rule under random stalls and resets", "[cosim]") {
  check_cosim("flit_fifo_300", cosim_cycles(20'000), of_300);
  check_cosim("flit_fifo_5", cosim_cycles(), of_5);
  check_cosim("flit_fifo_2", cosim_cycles(10'000), of_2);
  check_cosim("flit_fifo_1", cosim_cycles(10'000), of_1);
  check_cosim("flit_fifo_ram_5", cosim_cycles(), ram_of_5);
  check_cosim("flit_fifo_ram_1", cosim_cycles(10'000), ram_of_1);
}

TEST_CASE("a FIFO in RTL of two slots or more takes one flit per cycle", "[cosim]") {
  CHECK(delivered_in_100_cycles(of_2) == 99);  // 100 cycles less 1 of latency.
  CHECK(delivered_in_100_cycles(of_5) == 99);
  CHECK(delivered_in_100_cycles(ram_of_5) == 99);
}

TEST_CASE("a FIFO in RTL of one slot takes a flit every other cycle", "[cosim]") {
  CHECK(delivered_in_100_cycles(of_1) == 50);
}

TEST_CASE("lock-step finds a fault in any register bit of a FIFO", "[faults]") {
  CHECK(faults_not_found(of_5) == std::vector<std::string>{});
  CHECK(faults_not_found(of_2) == std::vector<std::string>{});
  CHECK(faults_not_found(ram_of_5) == std::vector<std::string>{});
}
