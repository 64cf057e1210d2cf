// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/named.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

TEST_CASE("SPREAD gives each output switch a middle switch of its own while there are", "[clos]") {
  CHECK(answer(Named("SPREAD", 4, 4), problem(4, "f", "f", {"0", "0", "0", "0"})) ==
        "0:1 1:2 2:4 3:8");
  CHECK(answer(Named("SPREAD", 4, 4), problem(4, "f", "5", {"0", "0", "0", "0"})) == "0:d 2:2");
}

TEST_CASE("SPREAD takes the lowest free link, of a new middle switch before a used one", "[clos]") {
  // Middle switch 0 is the lowest with a free link to output switch 2, but 1 is unused.
  CHECK(answer(Named("SPREAD", 3, 3), problem(3, "5", "7", {"2", "1", "0"})) == "0:1 1:4");
  CHECK(answer(Named("SPREAD", 3, 3), problem(3, "7", "7", {"0", "2", "6"})) == "0:3 1:4");
}

TEST_CASE("SPREAD keeps to its middle switches once there are as many as allowed", "[clos]") {
  const SelectionProblem all_free = problem(4, "f", "f", {"0", "0", "0", "0"});
  CHECK(answer(Named("SPREAD", 4, 4, 1), all_free) == "0:f");
  CHECK(answer(Named("SPREAD", 4, 4, 2), all_free) == "0:d 1:2");
  CHECK(answer(Named("SPREAD", 2, 2, 1), problem(2, "3", "3", {"2", "0"})) == "blocked");
}
