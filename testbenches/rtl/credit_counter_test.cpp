// SPDX-License-Identifier: Apache-2.0
#include <Vcredit_counter_1.h>
#include <Vcredit_counter_3.h>

#include <random>

#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace {

template <class Model>
class CreditBench {
 public:
  CreditBench() {
    bench_->contextp()->fatalOnError(false);  // A failed assertion is to be seen, not to abort.
    reset();
  }
  void reset() { cycle(false, false, false); }
  void cycle(bool take, bool give_back, bool rst_n = true) {
    bench_->rst_ni = rst_n;
    bench_->take_i = take;
    bench_->return_i = give_back;
    bench_.settle();
    bench_.edge();
  }
  unsigned credits() { return bench_->credits_o; }
  bool has_credit() { return bench_->has_credit_o != 0; }
  bool assertion_failed() { return bench_->contextp()->gotError(); }

 private:
  flitcast::VerilatedBench<Model> bench_;
};

/// The rule: free slots are all slots less those taken and not yet given back.
template <class Model>
void check_against_the_rule(unsigned depth) {
  CreditBench<Model> bench;
  std::mt19937 random(5);
  unsigned taken = 0;
  for (int cycle = 0; cycle < 10'000; ++cycle) {
    REQUIRE(bench.credits() == depth - taken);
    REQUIRE(bench.has_credit() == (taken < depth));
    if (random() % 100 == 0) {
      bench.reset();
      taken = 0;
      continue;
    }
    const bool take = taken < depth && random() % 2 == 0;
    const bool give_back = taken > 0 && random() % 2 == 0;
    bench.cycle(take, give_back);
    taken += (take ? 1U : 0U) - (give_back ? 1U : 0U);
  }
  CHECK_FALSE(bench.assertion_failed());
}

template <class Model>
void check_overflow() {
  CreditBench<Model> bench;
  bench.cycle(false, true);
  CHECK(bench.assertion_failed());
}

template <class Model>
void check_underflow(unsigned depth) {
  CreditBench<Model> bench;
  for (unsigned taken = 0; taken < depth; ++taken) bench.cycle(true, false);
  CHECK_FALSE(bench.assertion_failed());
  bench.cycle(true, true);  // The credit that comes back can be taken in the next cycle.
  CHECK(bench.assertion_failed());
}

}  // namespace

TEST_CASE("a credit counter in RTL counts the free slots", "[rtl]") {
  check_against_the_rule<Vcredit_counter_1>(1);
  check_against_the_rule<Vcredit_counter_3>(3);
}

TEST_CASE("a credit counter in RTL refuses a return of what nobody took", "[rtl]") {
  check_overflow<Vcredit_counter_1>();
  check_overflow<Vcredit_counter_3>();
}

TEST_CASE("a credit counter in RTL refuses a take without credit", "[rtl]") {
  check_underflow<Vcredit_counter_1>(1);
  check_underflow<Vcredit_counter_3>(3);
}
