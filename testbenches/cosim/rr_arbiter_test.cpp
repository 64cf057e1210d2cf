// SPDX-License-Identifier: Apache-2.0
#include <Vrr_arbiter_1.h>
#include <Vrr_arbiter_5.h>

#include "cosim/arbiter_cosim.h"
#include "cosim/faults.h"
#include "router/bit_mask.h"

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

auto of_5() { return ArbiterCosim<Vrr_arbiter_5, RoundRobin>(5); }
auto of_1() { return ArbiterCosim<Vrr_arbiter_1, RoundRobin>(1); }

}  // namespace

TEST_CASE("the round-robin arbiter in RTL grants what the routers' round_robin chooses",
          "[cosim]") {
  check_cosim("rr_arbiter_5", cosim_cycles(), of_5);
  check_cosim("rr_arbiter_1", cosim_cycles(10'000), of_1);
}

TEST_CASE("lock-step finds a fault in any register bit of a round-robin arbiter", "[faults]") {
  CHECK(unexplained(faults_not_found(of_5), {kRequester0IsLater}) == std::vector<std::string>{});
}
