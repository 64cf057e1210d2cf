// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/bounds.h"
#include "clos/experiments/nonblocking_check.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Sizes {
  std::uint32_t n;
  std::uint32_t r;
};

}  // namespace

// Every section has 10^7 requests.
TEST_CASE("Theorem 3 withstands many random requests", "[clos]") {
  const auto [n, r] = GENERATE(values<Sizes>(
      {{2, 2}, {2, 16}, {3, 4}, {3, 27}, {4, 4}, {4, 64}, {5, 8}, {8, 8}, {8, 16}, {16, 16}}));
  const Bound bound = theorem3(n, r);
  const auto structure = Structure::symmetric(static_cast<std::uint32_t>(bound.m), n, r);
  NonblockingCheckParams params;
  params.requests = 1'000'000;
  SECTION("all candidates") {}
  SECTION("the first candidates") { params.candidates = Candidates::kFirst; }
  SECTION("half of the requests split at random") { params.random_background = true; }
  INFO(to_text(structure));
  const NonblockingCheck check = check_nonblocking(structure, bound.x, params);
  CHECK(check.counts.blocked == 0);
  CHECK(check.counts.most_passes <= bound.x);
}
