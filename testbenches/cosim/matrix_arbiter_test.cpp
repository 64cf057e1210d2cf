// SPDX-License-Identifier: Apache-2.0
#include <Vmatrix_arbiter_1.h>
#include <Vmatrix_arbiter_2.h>
#include <Vmatrix_arbiter_5.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cosim/arbiter_cosim.h"
#include "cosim/faults.h"

using namespace flitcast;

namespace {

/// Reference: a grant goes to the first requester in the queue, which then moves to the end of the
/// queue.
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
  std::vector<unsigned> queue_;  // Least recently served requester first.
};

auto of_5() { return ArbiterCosim<Vmatrix_arbiter_5, ServiceQueue>(5); }
auto of_2() { return ArbiterCosim<Vmatrix_arbiter_2, ServiceQueue>(2); }
auto of_1() { return ArbiterCosim<Vmatrix_arbiter_1, ServiceQueue>(1); }

}  // namespace

TEST_CASE("a matrix arbiter in RTL serves the requester that it served least recently", "[cosim]") {
  check_cosim("matrix_arbiter_5", cosim_cycles(), of_5);
  check_cosim("matrix_arbiter_2", cosim_cycles(10'000), of_2);
  check_cosim("matrix_arbiter_1", cosim_cycles(10'000), of_1);
}

TEST_CASE("lock-step finds a fault in any register bit of a matrix arbiter", "[faults]") {
  CHECK(faults_not_found(of_5) == std::vector<std::string>{});
  CHECK(faults_not_found(of_2) == std::vector<std::string>{});
}
