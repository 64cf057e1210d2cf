// SPDX-License-Identifier: Apache-2.0
#include "conformance/permutation_rows.h"

#include <stdexcept>
#include <string>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Verdict permuted(const std::string& category, const std::string& topology,
                 const std::string& instance, const std::string& metric,
                 const std::string& expected, const std::string& kind = "exact",
                 Level level = Level::kBoth) {
  return permutation_row(Row(1, {{"category", category},
                                 {"topology", topology},
                                 {"instance", instance},
                                 {"metric", metric},
                                 {"expected", expected},
                                 {"kind", kind},
                                 {"tolerance", "0.5"}}),
                         level);
}

bool passes(const Verdict& verdict) { return verdict.kind == Verdict::Kind::kPassed; }

}  // namespace

// The closed forms are C = 2^(n/2 - 1), T = C + n/2, Q = C/2 and C = 2^((n-1)/2), T = n + C - 1.
TEST_CASE("step machine and network give the values of closed forms", "[conformance]") {
  CHECK(passes(permuted("hypercube_fifo", "Q7", "bitrev", "C,T,Q,H", "4,7,2,1")));
  CHECK(passes(permuted("butterfly_fifo", "BF5", "bitrev", "C,T,Q", "4,8,3")));
  CHECK(passes(permuted("sortroute_total", "M(rows=3,cols=6)", "fixed phase lengths", "T", "39")));
  CHECK(passes(permuted("xy_max_queue_any_perm", "M(7,7)", "worst case", "Qmax,Hmax", "4,3")));
}

TEST_CASE("the network reports each wrong value of a permutation separately", "[conformance]") {
  const Verdict wrong =
      permuted("hypercube_fifo", "Q6", "transpose", "C,T,Q,H", "4,8,2,0", "exact", Level::kNetwork);
  REQUIRE(wrong.differences.size() == 2);
  CHECK(wrong.differences[0].what == "network T");
  CHECK(wrong.differences[0].got == "7");
  CHECK(wrong.differences[1].what == "network H");
  CHECK(permuted("offline_bound", "M(rows=4,cols=4)", "any", "T<=", "8", "upper").kind ==
        Verdict::Kind::kFailed);
}

TEST_CASE("a permutation that means nothing is not computed", "[conformance]") {
  CHECK_THROWS_AS(permuted("hypercube_fifo", "Q6", "transposed", "T", "7"), std::invalid_argument);
  CHECK_THROWS_AS(permuted("hypercube_fifo", "Q6", "transpose", "X", "7"), std::invalid_argument);
  CHECK_THROWS_AS(permuted("hypercube_fifo", "P6", "transpose", "T", "7"), std::invalid_argument);
  CHECK_THROWS_AS(permuted("dor3d_bad", "M(4,4,4)", "B3(5)", "T", "11"), std::invalid_argument);
  CHECK_THROWS_AS(permuted("hypercube_fifo", "Q6", "transpose", "T", "7", "stat"),
                  std::invalid_argument);
}
