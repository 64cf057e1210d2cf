// SPDX-License-Identifier: Apache-2.0
#include "conformance/multicast_rows.h"

#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Verdict multicast_verdict(const std::string& category, const std::string& topology,
                          const std::string& instance, const std::string& metric,
                          const std::string& expected) {
  const Row row(1, {{"category", category},
                    {"topology", topology},
                    {"instance", instance},
                    {"metric", metric},
                    {"expected", expected}});
  return multicast_row(row, Level::kBoth);
}

const std::string kInstance = "v=perm(seed=1); src=v[0], dests=v[1..3]";

}  // namespace

// perm(1,8) = 4 3 2 7 ...: on M(2,4) from (0,1) to (3,0), (2,0) and (3,1).
TEST_CASE("rows of multicasts are computed, and wrong ones are detected", "[conformance]") {
  const auto passes = [](const char* category, const char* metric, const char* expected) {
    return multicast_verdict(category, "M(rows=2,cols=4)", kInstance, metric, expected).kind ==
           Verdict::Kind::kPassed;
  };
  CHECK(passes("separate_unicast_xy", "links", "10"));
  CHECK(passes("xy_tree", "links", "5"));
  CHECK(passes("dual_path", "worms;links;longest", "1;5;5"));
  CHECK(passes("multi_path", "worms;links;longest", "1;5;5"));
  CHECK(passes("column_path", "worms;links;longest", "2;7;4"));
  CHECK(passes("umesh", "steps;step_free;depth_free", "2;1;1"));
  CHECK_FALSE(passes("umesh", "steps", "3"));
}

TEST_CASE("rows of multicasts that cannot be read are refused", "[conformance]") {
  CHECK_THROWS_AS(multicast_verdict("umesh", "M(rows=2)", kInstance, "steps", "2"),
                  std::invalid_argument);
  CHECK_THROWS_AS(multicast_verdict("umesh", "M(rows=2,cols=4)", "all to all", "steps", "2"),
                  std::invalid_argument);
  CHECK_THROWS_AS(multicast_verdict("umesh", "M(rows=2,cols=4)", kInstance, "colour", "2"),
                  std::invalid_argument);
}
