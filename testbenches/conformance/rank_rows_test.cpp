// SPDX-License-Identifier: Apache-2.0
#include "conformance/rank_rows.h"

#include <stdexcept>
#include <string>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Row rank_text(const std::string& topology, const std::string& instance, const std::string& metric,
              const std::string& expected) {
  return {
      1,
      {{"topology", topology}, {"instance", instance}, {"metric", metric}, {"expected", expected}}};
}

bool rank_passes(const std::string& topology, const std::string& instance,
                 const std::string& metric, const std::string& expected) {
  return rank_row(rank_text(topology, instance, metric, expected), Level::kBoth).kind ==
         Verdict::Kind::kPassed;
}

bool time_passes(const std::string& topology, const std::string& instance,
                 const std::string& expected, Level level = Level::kBoth) {
  return rank_time_row(rank_text(topology, instance, "time", expected), level).kind ==
         Verdict::Kind::kPassed;
}

constexpr const char* kCosts = "rounds;serial_blocks;total_blocks";

}  // namespace

// The figures come from the specification, section 6.1.
TEST_CASE("rows of algorithms between ranks are computed, and wrong ones are seen",
          "[conformance]") {
  CHECK(rank_passes("p=6", "allreduce_ring", kCosts, "10;10;60"));
  // 0+1+1+2+1+2+2 bits are set in the numbers below 7.
  CHECK(rank_passes("p=7", "a2a_bruck", kCosts, "3;9;63"));
  CHECK(rank_passes("p=1", "reduce_binomial", kCosts, "0;0;0"));
  CHECK(rank_passes("p=9", "bcast_pipelined S=4", "rounds;total_blocks", "11;32"));
  CHECK(rank_passes("p=5", "bcast_scatter_allgather", "serial_blocks", "8"));
  CHECK_FALSE(rank_passes("p=6", "allreduce_ring", kCosts, "10;10;61"));
  CHECK_FALSE(rank_passes("p=6", "allreduce_ring", kCosts, "11;10;60"));
}

// Q3, ring: in every round a message goes from 3 to 4 or from 7 to 0, which takes 3 hops: 7 (ts + 3
// td + m).
TEST_CASE("rows of times on hypercubes are computed and played", "[conformance]") {
  CHECK(time_passes("Q3", "allgather_ring block=10 ts=50 td=3 tm=2 WH", "553"));
  CHECK(time_passes("Q3", "allgather_ring block=10 ts=50 td=3 tm=2 SF", "833"));
  CHECK(time_passes("Q3", "barrier_dissemination block=10 ts=50 td=3 tm=2 WH", "228"));
  CHECK(time_passes("Q0", "reduce_binomial block=10 ts=50 td=3 tm=2 SF", "0"));
  CHECK(time_passes("Q2", "bcast_binomial block=70000 ts=50 td=3 tm=1 WH", "140106"));
  CHECK_FALSE(time_passes("Q3", "allgather_ring block=10 ts=50 td=3 tm=2 WH", "552", Level::kStep));
}

TEST_CASE("rows of ranks that cannot be read are refused", "[conformance]") {
  CHECK_THROWS_AS(rank_passes("p=6", "bcast_magic", kCosts, "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(rank_passes("6", "bcast_binomial", kCosts, "1;1;1"), std::invalid_argument);
  CHECK_THROWS_AS(rank_passes("p=6", "bcast_binomial", "colour", "1"), std::invalid_argument);
  CHECK_THROWS_AS(rank_passes("p=6", "bcast_binomial S=4", "rounds", "3"), std::invalid_argument);
  CHECK_THROWS_AS(time_passes("Q3", "allgather_ring block=10 ts=50 WH", "1"),
                  std::invalid_argument);
  CHECK_THROWS_AS(time_passes("Q3", "allgather_ring block=10 ts=50 td=3 tm=2 XY", "1"),
                  std::invalid_argument);
}
