// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "support/test_catch.h"
#include "topology/clos_structure.h"

using namespace flitcast::clos;

namespace {

std::string problems_of(const Structure& structure) {
  try {
    require_buildable(structure);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a symmetric network has 2 N m + m r^2 crosspoints", "[clos]") {
  CHECK(Structure::symmetric(13, 4, 4).crosspoints() == 624);
  for (std::uint32_t n = 1; n <= 9; ++n) {
    for (std::uint32_t r = 1; r <= 9; ++r) {
      const std::uint64_t m = n + r;
      CHECK(Structure::symmetric(n + r, n, r).crosspoints() == 2 * n * r * m + m * r * r);
    }
  }
}

TEST_CASE("crosspoints are those of all crossbars of all stages", "[clos]") {
  const Structure structure{5, 2, 3, 4, 7};
  CHECK(structure.crosspoints() == 3 * (2 * 5) + 5 * (3 * 7) + 7 * (5 * 4));
  const Structure largest{kMostSwitches, 16, kMostSwitches, 16, kMostSwitches};
  REQUIRE(problems_of(largest).empty());
  // 2^20 middle switches of 2^40 crosspoints, and twice 2^20 switches of 16 x 2^20.
  CHECK(largest.crosspoints() == (std::uint64_t{1} << 60) + (std::uint64_t{2} << 44));
}

TEST_CASE("ports lie on their switches in blocks of n1 and n2", "[clos]") {
  const Structure structure{5, 2, 3, 4, 7};
  CHECK(structure.inputs() == 6);
  CHECK(structure.outputs() == 28);
  CHECK(structure.input_switch(InputId{0}) == 0);
  CHECK(structure.input_switch(InputId{1}) == 0);
  CHECK(structure.input_switch(InputId{5}) == 2);
  CHECK(structure.output_switch(OutputId{3}) == 0);
  CHECK(structure.output_switch(OutputId{4}) == 1);
  CHECK(structure.output_switch(OutputId{27}) == 6);
}

TEST_CASE("a network is written as in the literature", "[clos]") {
  CHECK(to_text(Structure::symmetric(13, 4, 5)) == "v(13, 4, 5)");
  CHECK(to_text({13, 4, 4, 8, 2}) == "v(13, 4, 4, 8, 2)");
}

TEST_CASE("every size that no network has is named at once", "[clos]") {
  CHECK(problems_of(Structure::symmetric(1, 1, 1)).empty());
  CHECK(problems_of({0, 1, 1, 1, 1}) == "m is 0; take at least 1");
  const std::string all = problems_of({0, 0, 0, 0, 0});
  for (const char* name : {"m is 0", "n1 is 0", "r1 is 0", "n2 is 0", "r2 is 0"}) {
    CHECK(all.find(name) != std::string::npos);
  }
  CHECK(problems_of({kMostSwitches + 1, 1, 1, 1, 1}) == "m is 1048577; take at most 1048576");
  CHECK(problems_of({1, 1 << 20, 1 << 5, 1, 1}) == "33554432 inputs; take at most 16777216");
  CHECK(problems_of({1, 1, 1, 1 << 20, 1 << 5}) == "33554432 outputs; take at most 16777216");
  // 2^16 ports on 2^16 switches are 0 modulo 2^32.
  CHECK_FALSE(problems_of({1, 1 << 16, 1 << 16, 1, 1}).empty());
}
