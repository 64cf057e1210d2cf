// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "clos/structure.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Sizes {
  std::uint32_t n, r, m;
};

MultistageStructure plan(const std::vector<Sizes>& sizes) {
  MultistageStructure structure;
  for (const Sizes& level : sizes) {
    structure.levels.push_back(Structure::symmetric(level.m, level.n, level.r));
  }
  return structure;
}

std::string problems(const MultistageStructure& structure) {
  try {
    require_buildable(structure);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("crosspoints follow the recursion C_k(N) = 2 N m + m C_(k-1)(r)", "[clos]") {
  CHECK(plan({{4, 4, 13}}).crosspoints() == 624);
  CHECK(plan({{4, 4, 13}, {2, 2, 4}}).crosspoints() == 1040);
  CHECK(plan({{2, 8, 10}, {2, 4, 6}, {2, 2, 4}}).crosspoints() == 4160);
  CHECK(plan({{32, 32, 192}, {4, 8, 15}}).crosspoints() == 761856);
  CHECK(plan({{128, 256, 1017}, {16, 16, 83}, {4, 4, 13}}).crosspoints() == 162541008);
  CHECK(plan({{512, 2048, 4887}, {32, 64, 212}}).crosspoints() == 18736054272);
}

TEST_CASE("a lopsided network counts the crosspoints of both sides", "[clos]") {
  // 3 (2 x 5), 5 networks of 3 inputs and 4 outputs, 4 (5 x 7); inside, 1 (3 x 2), 2 crossbars
  // 1 x 2, 2 (2 x 2).
  const MultistageStructure structure{{Structure{5, 2, 3, 7, 4}, Structure{2, 3, 1, 2, 2}}};
  CHECK(problems(structure).empty());
  CHECK(structure.crosspoints() == 3 * 10 + 4 * 35 + 5 * (6 + 2 * 2 + 2 * 4));
  CHECK(structure.stages() == 5);
  CHECK(structure.networks(1) == 5);
}

TEST_CASE("a plan that does not fit together is told all its faults", "[clos]") {
  CHECK(problems(plan({})) == "the network has no level; name at least one");
  CHECK(problems(plan({{4, 4, 13}, {2, 2, 4}})).empty());
  CHECK(problems(plan({{4, 4, 0}, {2, 3, 4}})) ==
        "level 0: m is 0; take at least 1; "
        "level 1 has 6 inputs, but level 0 has 4 input switches; make them equal; "
        "level 1 has 6 outputs, but level 0 has 4 output switches; make them equal");
  CHECK(problems(plan({{1, 1, 1U << 13}, {1, 1, 1U << 12}})) ==
        "level 1 has 33554432 middle switches in all its networks; take at most 16777216");
}
