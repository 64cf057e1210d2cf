// SPDX-License-Identifier: Apache-2.0
#include <Vmatrix_arbiter_1.h>
#include <Vmatrix_arbiter_2.h>
#include <Vmatrix_arbiter_5.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace {

/// The rule in one sentence: the first in the queue that requests; whom it serves goes to its end.
class ServiceQueue {
 public:
  explicit ServiceQueue(unsigned requesters) : queue_(requesters) {
    std::iota(queue_.begin(), queue_.end(), 0U);
  }
  unsigned grant(unsigned requests) const {
    for (const unsigned requester : queue_) {
      if ((requests >> requester & 1U) != 0) return 1U << requester;
    }
    return 0;
  }
  void serve(unsigned grant) {
    const auto served = std::find_if(queue_.begin(), queue_.end(),
                                     [grant](unsigned r) { return (1U << r) == grant; });
    std::rotate(served, served + 1, queue_.end());
  }

 private:
  std::vector<unsigned> queue_;  // The one served least recently first.
};

template <class Model>
void check_against_the_rule(unsigned requesters) {
  flitcast::VerilatedBench<Model> bench;
  std::mt19937 random(1);
  bench.reset();
  ServiceQueue expected(requesters);
  for (int cycle = 0; cycle < 10'000; ++cycle) {
    const auto requests = static_cast<unsigned>(random() % (1U << requesters));
    const bool take = random() % 2 == 0;
    bench->req_i = static_cast<CData>(requests);
    bench->take_i = take;
    bench.settle();
    const unsigned grant = bench->gnt_o;
    INFO("cycle " << cycle << ", requests " << requests);
    REQUIRE(grant == expected.grant(requests));
    if (take && grant != 0) expected.serve(grant);
    bench.edge();
    if (random() % 1000 == 0) {
      bench.reset();
      expected = ServiceQueue(requesters);
    }
  }
}

}  // namespace

TEST_CASE("a matrix arbiter in RTL serves whom it served least recently", "[rtl]") {
  check_against_the_rule<Vmatrix_arbiter_2>(2);
  check_against_the_rule<Vmatrix_arbiter_5>(5);
}

TEST_CASE("a matrix arbiter in RTL for one requester grants what it asks", "[rtl]") {
  check_against_the_rule<Vmatrix_arbiter_1>(1);
}
