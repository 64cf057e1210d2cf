// SPDX-License-Identifier: Apache-2.0
#include <Vrr_arbiter_1.h>
#include <Vrr_arbiter_5.h>

#include <random>

#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace {

/// The rule in one sentence: the first requester found counting up from the last one served.
unsigned expected_grant(unsigned requesters, unsigned requests, unsigned last_served) {
  for (unsigned step = 1; step <= requesters; ++step) {
    const unsigned bit = 1U << ((last_served + step) % requesters);
    if ((requests & bit) != 0) return bit;
  }
  return 0;
}

template <class Model>
void check_against_the_rule(unsigned requesters) {
  flitcast::VerilatedBench<Model> bench;
  std::mt19937 random(1);
  bench.reset();
  unsigned last_served = requesters - 1;
  for (int cycle = 0; cycle < 10'000; ++cycle) {
    const auto requests = static_cast<unsigned>(random() % (1U << requesters));
    const bool take = random() % 2 == 0;
    bench->req_i = static_cast<CData>(requests);
    bench->take_i = take;
    bench.settle();
    const unsigned grant = bench->gnt_o;
    INFO("cycle " << cycle << ", requests " << requests << ", last served " << last_served);
    REQUIRE(grant == expected_grant(requesters, requests, last_served));
    if (take && grant != 0) last_served = static_cast<unsigned>(__builtin_ctz(grant));
    bench.edge();
  }
}

}  // namespace

TEST_CASE("a round-robin arbiter in RTL grants by the rule for random requests", "[rtl]") {
  check_against_the_rule<Vrr_arbiter_5>(5);
}

TEST_CASE("a round-robin arbiter in RTL for one requester grants what it asks", "[rtl]") {
  check_against_the_rule<Vrr_arbiter_1>(1);
}
