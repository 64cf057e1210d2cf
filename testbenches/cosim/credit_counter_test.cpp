// SPDX-License-Identifier: Apache-2.0
#include <Vcredit_counter_1.h>
#include <Vcredit_counter_3.h>

#include <random>

#include "cosim/faults.h"

using namespace flitcast;

namespace {

/// Reference: free slots are all slots less those taken and not yet returned.
template <class Top>
class CreditCosim {
 public:
  explicit CreditCosim(unsigned depth) : depth_(depth) { rtl_.reset(); }

  void drive() {
    reset_ = random_() % 100 == 0;
    take_ = taken_ < depth_ && random_() % 2 == 0;
    give_back_ = taken_ > 0 && random_() % 2 == 0;
    rtl_->rst_ni = !reset_;
    rtl_->take_i = take_;
    rtl_->return_i = give_back_;
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    lockstep.compare("credits_o", 0, depth_ - taken_, rtl_->credits_o);
    lockstep.compare("has_credit_o", 0, taken_ < depth_, rtl_->has_credit_o);
  }

  void edge() {
    taken_ = reset_ ? 0 : taken_ + (take_ ? 1U : 0U) - (give_back_ ? 1U : 0U);
    rtl_.edge();
  }

  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  const unsigned depth_;
  unsigned taken_ = 0;
  bool take_ = false;
  bool give_back_ = false;
  bool reset_ = false;
  std::mt19937 random_{5};
  VerilatedBench<Top> rtl_;
};

auto of_3() { return CreditCosim<Vcredit_counter_3>(3); }
auto of_1() { return CreditCosim<Vcredit_counter_1>(1); }

/// Tests whether the assertions accept given uses of the counter.
template <class Top>
class Misuse {
 public:
  Misuse() {
    rtl_->contextp()->fatalOnError(false);  // A failed assertion is recorded and does not abort.
    rtl_.reset();
  }
  void cycle(bool take, bool give_back) {
    rtl_->take_i = take;
    rtl_->return_i = give_back;
    rtl_.settle();
    rtl_.edge();
  }
  bool refused() { return rtl_->contextp()->gotError(); }

 private:
  VerilatedBench<Top> rtl_;
};

template <class Top>
void check_overflow() {
  Misuse<Top> counter;
  counter.cycle(false, true);
  CHECK(counter.refused());
}

template <class Top>
void check_underflow(unsigned depth) {
  Misuse<Top> counter;
  for (unsigned taken = 0; taken < depth; ++taken) counter.cycle(true, false);
  CHECK_FALSE(counter.refused());
  counter.cycle(true, true);  // The returned credit can be taken in the next cycle.
  CHECK(counter.refused());
}

}  // namespace

TEST_CASE("a credit counter in RTL counts the free slots", "[cosim]") {
  check_cosim("credit_counter_3", cosim_cycles(), of_3);
  check_cosim("credit_counter_1", cosim_cycles(10'000), of_1);
}

TEST_CASE("a credit counter in RTL refuses the return of a credit that was not taken", "[rtl]") {
  check_overflow<Vcredit_counter_1>();
  check_overflow<Vcredit_counter_3>();
}

TEST_CASE("a credit counter in RTL refuses a take without credit", "[rtl]") {
  check_underflow<Vcredit_counter_1>(1);
  check_underflow<Vcredit_counter_3>(3);
}

TEST_CASE("lock-step finds a fault in any register bit of a credit counter", "[faults]") {
  CHECK(faults_not_found(of_3) == std::vector<std::string>{});
  CHECK(faults_not_found(of_1) == std::vector<std::string>{});
}
