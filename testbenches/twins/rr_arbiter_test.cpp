// SPDX-License-Identifier: Apache-2.0
#include <Vrr_arbiter_1.h>
#include <Vrr_arbiter_5.h>

#include "router/bit_mask.h"
#include "twins/arbiter_twins.h"
#include "twins/faults.h"

using namespace flitcast;

namespace {

class RoundRobin {
 public:
  explicit RoundRobin(unsigned requesters) : last_(requesters - 1) {}

  unsigned grant(unsigned requests) const {
    return requests == 0 ? 0U : 1U << round_robin(requests, last_);
  }
  void serve(unsigned grant) { last_ = lowest_bit(grant); }

 private:
  unsigned last_;
};

auto of_5() { return ArbiterTwins<Vrr_arbiter_5, RoundRobin>(5); }
auto of_1() { return ArbiterTwins<Vrr_arbiter_1, RoundRobin>(1); }

}  // namespace

TEST_CASE("the round-robin arbiter in RTL grants what the routers' round_robin chooses",
          "[twins]") {
  check_twins("rr_arbiter_5", twin_cycles(), of_5);
  check_twins("rr_arbiter_1", twin_cycles(10'000), of_1);
}

TEST_CASE("lock-step finds a fault in any register bit of a round-robin arbiter", "[faults]") {
  CHECK(unexplained(faults_not_found(of_5), {kRequester0IsLater}) == std::vector<std::string>{});
}
