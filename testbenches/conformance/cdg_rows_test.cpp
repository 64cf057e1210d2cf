// SPDX-License-Identifier: Apache-2.0
#include "conformance/cdg_rows.h"

#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Verdict verdict(const std::string& topology, const std::string& scheme, const std::string& metric,
                const std::string& expected) {
  const Row row(
      1,
      {{"topology", topology}, {"instance", scheme}, {"metric", metric}, {"expected", expected}});
  return cdg_row(row, Level::kBoth);
}

Verdict counts(const std::string& topology, const std::string& scheme,
               const std::string& expected) {
  return verdict(topology, scheme, "channels;deps;acyclic", expected);
}

}  // namespace

// Counted by hand: an open line of n has 2 (n - 1) channels and 2 (n - 2) dependencies; a ring of n
// has one dependency per channel; a square has 8 channels and one turn x -> y at each of its ends.
TEST_CASE("dependency counts of small networks are those counted by hand", "[conformance]") {
  CHECK(counts("mesh 7", "XY", "12;10;1").kind == Verdict::Kind::kPassed);
  CHECK(counts("mesh 2x2", "XY", "8;4;1").kind == Verdict::Kind::kPassed);
  CHECK(counts("torus 5", "minimal DOR, tie +, none", "10;10;0").kind == Verdict::Kind::kPassed);
  CHECK(counts("torus 2", "minimal DOR, tie +, none", "2;0;1").kind == Verdict::Kind::kPassed);
  CHECK(counts("Q1", "e-cube", "2;0;1").kind == Verdict::Kind::kPassed);
}

TEST_CASE("virtual channels break the cycle of a ring by either rule", "[conformance]") {
  const std::string rule = GENERATE("dateline", "dally");
  CHECK(verdict("torus 6", "minimal DOR, tie +, " + rule, "acyclic", "1").kind ==
        Verdict::Kind::kPassed);
}

TEST_CASE("each wrong value of a row is a separate difference", "[conformance]") {
  const Verdict wrong = counts("mesh 7", "XY", "12;11;0");
  REQUIRE(wrong.differences.size() == 2);
  CHECK(wrong.differences[0].what == "deps");
  CHECK(wrong.differences[0].expected == "11");
  CHECK(wrong.differences[0].got == "10");
  CHECK(wrong.differences[1].what == "acyclic");
}

TEST_CASE("rows that make no sense are refused", "[conformance]") {
  CHECK_THROWS_AS(counts("mesh 3x3", "Valiant many", "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(counts("mesh 3x3", "hot potato", "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(counts("torus 3x3", "XY", "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(counts("mesh 3xtwo", "XY", "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(verdict("mesh 3", "XY", "channels;colour", "4;1"), std::invalid_argument);
}
