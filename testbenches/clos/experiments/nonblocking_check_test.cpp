// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/nonblocking_check.h"

#include "clos/bounds/bounds.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Sizes {
  std::uint32_t n;
  std::uint32_t r;
};

NonblockingCheckParams params_of(std::uint64_t requests, Candidates candidates,
                                 bool random_background) {
  NonblockingCheckParams params;
  params.requests = requests;
  params.candidates = candidates;
  params.random_background = random_background;
  return params;
}

}  // namespace

TEST_CASE("no request is blocked at Theorem 3, nor takes more than x middle switches", "[clos]") {
  const auto [n, r] = GENERATE(values<Sizes>({{1, 5}, {2, 2}, {3, 8}, {4, 16}, {8, 8}, {3, 70}}));
  const auto candidates = GENERATE(Candidates::kAll, Candidates::kFirst);
  const bool background = GENERATE(false, true);
  INFO("n = " << n << ", r = " << r << ", first only: " << (candidates == Candidates::kFirst)
              << ", background: " << background);
  const Bound bound = theorem3(n, r);
  const auto m = static_cast<std::uint32_t>(bound.m);
  const NonblockingCheck check = check_nonblocking(Structure::symmetric(m, n, r), bound.x,
                                                   params_of(1000, candidates, background));
  CHECK(check.counts.requests == 1000);
  CHECK(check.counts.blocked == 0);
  CHECK(check.counts.most_passes <= bound.x);
}

TEST_CASE("the background takes all the middle switches that it may", "[clos]") {
  const Structure structure = Structure::symmetric(83, 16, 16);
  const auto plain = check_nonblocking(structure, 3, params_of(1000, Candidates::kAll, false));
  CHECK(plain.counts.most_passes == 1);
  CHECK(plain.background == 0);
  const auto hard = check_nonblocking(structure, 3, params_of(1000, Candidates::kAll, true));
  CHECK(hard.counts.most_passes == 3);
  CHECK(hard.background > 400);
  CHECK(hard.background < 600);
}

TEST_CASE("with too few middle switches or passes the check finds blocked requests", "[clos]") {
  const auto all = params_of(1000, Candidates::kAll, false);
  CHECK(check_nonblocking(Structure::symmetric(8, 8, 8), 2, all).counts.blocked > 0);
  CHECK(check_nonblocking(Structure::symmetric(9, 8, 8), 1, all).counts.blocked >
        check_nonblocking(Structure::symmetric(9, 8, 8), 2, all).counts.blocked);
}

TEST_CASE("a check without a pass limit where one is needed is refused", "[clos]") {
  const Structure structure = Structure::symmetric(8, 8, 8);
  CHECK_THROWS_AS(check_nonblocking(structure, 0, params_of(1, Candidates::kFirst, false)),
                  std::invalid_argument);
  CHECK_THROWS_AS(check_nonblocking(structure, 0, params_of(1, Candidates::kAll, true)),
                  std::invalid_argument);
}
