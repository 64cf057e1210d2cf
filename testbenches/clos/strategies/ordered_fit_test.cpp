// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/ids.h"
#include "clos/strategies/named.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// Middle switch j serves only output switch j, so that a route shows the whole order.
SelectionProblem one_each(std::size_t size) {
  SelectionProblem problem{BitSet::full(size), BitSet::full(size), BitMatrix(size, size)};
  for (std::size_t j = 0; j < size; ++j) {
    problem.busy.assign(j, BitSet::full(size));
    problem.busy.reset(j, j);
  }
  return problem;
}

/// The middle switches of a route: "035".
std::string order_of(Strategy& strategy, const SelectionProblem& problem) {
  Selection selection(problem.r());
  strategy.select(problem.request(), selection);
  std::string order;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    order += std::to_string(index(selection.middle(leg)));
  }
  return order;
}

}  // namespace

TEST_CASE("FF takes every middle switch that serves any of the rest, in rising order", "[clos]") {
  // Middle switch 1 would carry the request alone; 2 serves nothing that 0 does not.
  CHECK(answer(Named("FF", 3, 4), problem(4, "f", "7", {"8", "0", "8"})) == "0:7 1:8");
  CHECK(answer(Named("FF", 3, 4), problem(4, "f", "5", {"8", "0", "8"})) == "blocked");
  CHECK(answer(Named("FF", 7, 8),
               problem(8, "ff", "7f", {"53", "9e", "c1", "ac", "1b", "58", "6c"})) ==
        "0:ac 1:41 2:12");
}

TEST_CASE("MU tries the fullest middle switch first, the lowest of equals", "[clos]") {
  CHECK(answer(Named("MU", 4, 6), problem(6, "3f", "f", {"6", "3d", "3a", "0"})) == "1:2 2:5 0:38");
  CHECK(answer(Named("MU", 7, 5), problem(5, "1f", "7f", {"18", "0", "0", "5", "14", "9", "1a"})) ==
        "6:5 0:2 3:18");
  // Fullness counts output switches that the request does not want.
  CHECK(answer(Named("MU", 2, 70), problem(70, "1", "3", {"0", "200000000000000000"})) == "1:1");
}

TEST_CASE("RND shuffles anew for each request, by a sequence of its own", "[clos]") {
  Named strategy("RND", 8, 8, 0, 42);
  CHECK(order_of(strategy, one_each(8)) == "10647325");
  CHECK(order_of(strategy, one_each(8)) == "06534127");
  CHECK(order_of(strategy, one_each(8)) == "35461270");
}

TEST_CASE("RND reaches every order of three middle switches about equally often", "[clos]") {
  Named strategy("RND", 3, 3);
  std::map<std::string, int> seen;
  for (int i = 0; i < 6000; ++i) ++seen[order_of(strategy, one_each(3))];
  CHECK(seen.size() == 6);
  for (const auto& [order, times] : seen) {
    INFO(order);
    CHECK(times > 880);  // 1000 are expected, with standard deviation 29.
    CHECK(times < 1120);
  }
}

TEST_CASE("a pass limit cuts the walk short", "[clos]") {
  CHECK(answer(Named("FF", 3, 3, 2), one_each(3)) == "blocked");
  CHECK(answer(Named("FF", 3, 3, 3), one_each(3)) == "0:1 1:2 2:4");
  CHECK(answer(Named("MU", 2, 4, 1), problem(4, "1", "3", {"f", "0"})) == "1:1");
}
