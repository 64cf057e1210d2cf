// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <stdexcept>

#include "support/test_catch.h"
#include "traffic/load.h"
#include "traffic/random_traffic.h"
#include "workload.h"

using namespace flitcast;

namespace {

PacketLengths make(const nlohmann::json& lengths, const nlohmann::json& weights) {
  return make_packet_lengths(
      workload(traffic_params(), {{"packet_length", lengths}, {"packet_weights", weights}}));
}

const nlohmann::json kNone = nlohmann::json::array();

}  // namespace

TEST_CASE("lengths come as often as their weights say", "[traffic]") {
  const PacketLengths lengths = make({1, 5, 9}, {3.0, 1.0, 0.0});
  CHECK(lengths.mean() == 2);
  Random random(1);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < 40'000; ++i) ++counts[lengths.draw(random)];
  CHECK(counts.size() == 2);
  CHECK(counts[1] > 29'500);  // The bound is 30 000 minus 5 standard deviations of 87.
  CHECK(counts[1] < 30'500);
}

TEST_CASE("lengths without weights are equally likely", "[traffic]") {
  const PacketLengths lengths = make({1, 2, 3, 4}, kNone);
  CHECK(lengths.mean() == 2.5);
  Random random(1);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < 40'000; ++i) ++counts[lengths.draw(random)];
  for (const auto& [length, count] : counts) CHECK(std::abs(count - 10'000) < 450);
}

TEST_CASE("a single length draws nothing from the stream", "[traffic]") {
  Random random(1);
  CHECK(make({7}, kNone).draw(random) == 7);
  CHECK(random.next() == Random(1).next());
}

TEST_CASE("a load is the packets of all lengths by their weights", "[traffic]") {
  // Four packets, three of 1 flit and one of 5, have 8 flits.
  const PacketRates rates = make({1, 5, 9}, {3.0, 1.0, 0.0}).rates(0.8);
  CHECK(rates.at(1) == Approx(0.3));
  CHECK(rates.at(5) == Approx(0.1));
  CHECK(rates.size() == 2);  // No packet has a length of weight 0.
  // There are 3 flits in packets of 1 flit and 5 in those of 5.
  CHECK(mean_length_of_flits(rates) == Approx((3 * 1 + 5 * 5) / 8.0));
  CHECK(mean_length_of_flits(make({7}, kNone).rates(0.3)) == 7);
  CHECK(mean_length_of_flits({}) == 0);
  PacketRates both = rates;
  add(both, {{5, 0.1}, {7, 0.2}});
  CHECK(both.at(5) == Approx(0.2));
  CHECK(both.at(7) == 0.2);
}

TEST_CASE("a rare length is one of fewer than a tenth of the packets that decides waits",
          "[traffic]") {
  // By the shares of packets and of squared lengths, at their bounds.
  CHECK(rarest_period({{1, 0.091}, {5, 0.009}}) == Approx(1 / 0.009));
  CHECK(rarest_period({{1, 0.089}, {5, 0.011}}) == 0);
  CHECK(rarest_period({{10, 0.0951}, {11, 0.0049}}) == Approx(1 / 0.0049));
  CHECK(rarest_period({{10, 0.0959}, {11, 0.0041}}) == 0);
  // The rarer of two rare lengths counts.
  CHECK(rarest_period({{1, 0.9}, {50, 0.05}, {100, 0.02}}) == Approx(50));
  CHECK(rarest_period({{1, 0.5}, {60, 0.0}}) == 0);
  // Lengths that decide together count together, here 400 and 250 flits, with 150 at less than 5 %.
  CHECK(rarest_period({{4, 1.0}, {150, 3e-5}, {250, 1e-5}, {400, 4e-6}}) == Approx(1 / 1.4e-5));
  CHECK(rarest_period({}) == 0);
}

TEST_CASE("weights that do not fit the lengths are refused", "[traffic]") {
  CHECK_THAT(complaint([] {
               make({1, 5}, {1.0});
             }),
             Catch::Contains("workload.packet_weights") && Catch::Contains("1 weights for 2"));
  CHECK_THAT(complaint([] { make({1, 5}, {0.0, 0.0}); }), Catch::Contains("zero"));
  CHECK_THAT(complaint([] { make(kNone, kNone); }), Catch::Contains("workload.packet_length"));
  CHECK_THROWS_AS(PacketLengths({0}, {1.0}), std::invalid_argument);
}
