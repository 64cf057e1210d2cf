// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"

using namespace flitcast;

namespace {

Verification broadcast(std::size_t dimension, NodeId source, unsigned ports) {
  const Hypercube cube(dimension);
  return verify_hops(cube, source, binomial_broadcast(cube, source, ports), ports);
}

}  // namespace

// P5 to P12 are cases of the specification's table of costs.
TEST_CASE("the binomial tree costs what the specification says", "[collective]") {
  check_cost(broadcast(0, NodeId{0}, 1), {0, 0, 0, {}});                           // P5
  check_cost(broadcast(0, NodeId{0}, kAllPorts), {0, 0, 0, {}});                   // P6
  check_cost(broadcast(1, NodeId{0}, 1), {1, 1, 0, {1}});                          // P7
  check_cost(broadcast(1, NodeId{0}, kAllPorts), {1, 1, 0, {1}});                  // P8
  check_cost(broadcast(4, NodeId{0}, 1), {4, 15, 0, {1, 2, 4, 8}});                // P9
  check_cost(broadcast(4, NodeId{0}, kAllPorts), {4, 15, 0, {4, 6, 4, 1}});        // P10
  check_cost(broadcast(5, NodeId{19}, 1), {5, 31, 0, {1, 2, 4, 8, 16}});           // P11
  check_cost(broadcast(5, NodeId{19}, kAllPorts), {5, 31, 0, {5, 10, 10, 5, 1}});  // P12
}

TEST_CASE("the binomial tree is legal from every source of a cube", "[collective]") {
  for (std::size_t n = 0; n <= 6; ++n) {
    for (const NodeId source : nodes_of(Hypercube(n))) {
      broadcast(n, source, 1);
      broadcast(n, source, kAllPorts);
    }
  }
  CHECK(broadcast(10, NodeId{700}, 1).rounds == 10);
  CHECK(broadcast(10, NodeId{700}, kAllPorts).rounds == 10);
}

TEST_CASE("round i of the one-port binomial tree crosses dimension i", "[collective]") {
  const Schedule schedule = binomial_broadcast(Hypercube(4), NodeId{6}, 1).schedule;
  for (std::size_t round = 0; round < 4; ++round) {
    for (std::size_t send = schedule.begin(round); send < schedule.end(round); ++send) {
      CHECK(index(schedule.path(send)[0]) == round);
    }
  }
}

TEST_CASE("the binomial tree is for one port or all", "[collective]") {
  for (const unsigned ports : {0U, 2U, 4U}) {
    const PreconditionError error =
        refusal([ports] { binomial_broadcast(Hypercube(4), NodeId{0}, ports); });
    CHECK(error.subject() == PreconditionError::Subject::kPorts);
    CHECK(error.hint() == "use one or all");
  }
}

TEST_CASE("the binomial tree refuses a source outside the cube and names its nodes",
          "[collective]") {
  const PreconditionError error = refusal([] { binomial_broadcast(Hypercube(4), NodeId{16}, 1); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint().find("0 to 15") != std::string::npos);
}
