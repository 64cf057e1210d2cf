// SPDX-License-Identifier: Apache-2.0
#include "conformance/fat_tree_rows.h"

#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Verdict tree_verdict(const std::string& tree, const std::string& instance,
                     const std::string& metric, const std::string& expected) {
  const Row row(
      1, {{"topology", tree}, {"instance", instance}, {"metric", metric}, {"expected", expected}});
  return fat_tree_row(row, Level::kBoth);
}

}  // namespace

TEST_CASE("rows of trees are computed, and wrong ones are detected", "[conformance]") {
  const std::string shifts = "all shifts i->i+s";
  CHECK(tree_verdict("3-ary 3-tree", shifts, "max link load", "1").kind == Verdict::Kind::kPassed);
  const Verdict wrong = tree_verdict("3-ary 3-tree", shifts, "max link load", "2");
  REQUIRE(wrong.differences.size() == 1);
  CHECK(wrong.differences[0].got == "1");
  // perm(1,8) = 4 3 2 7 5 6 0 1: no two nodes of a leaf or of half the tree share an upward link.
  CHECK(tree_verdict("2-ary 3-tree", "perm(seed=1)", "up;down load", "1;1").kind ==
        Verdict::Kind::kPassed);
  CHECK(tree_verdict("2-ary 3-tree", "perm(seed=1)", "up;down load", "2;1").kind ==
        Verdict::Kind::kFailed);
}

TEST_CASE("rows of trees that cannot be read are refused", "[conformance]") {
  CHECK_THROWS_AS(tree_verdict("3-ary tree", "perm(seed=1)", "up;down load", "1;1"),
                  std::invalid_argument);
  CHECK_THROWS_AS(tree_verdict("2-ary 2-tree", "transpose", "up;down load", "1;1"),
                  std::invalid_argument);
  CHECK_THROWS_AS(tree_verdict("2-ary 2-tree", "perm(seed=1)", "colour", "1"),
                  std::invalid_argument);
}
