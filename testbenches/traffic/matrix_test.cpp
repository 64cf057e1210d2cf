// SPDX-License-Identifier: Apache-2.0
// Traffic whose rates are written by source and destination.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "../sim/folder.h"
#include "ideal_network.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/random_traffic.h"
#include "workload.h"

using namespace flitcast;

namespace {

using Values = std::map<std::string, nlohmann::json>;

std::unique_ptr<RandomTraffic> traffic(const std::string& file, const Grid& grid, double load = 0) {
  const TemporaryFile matrix(file);
  return make_traffic(
      workload(
          traffic_params(),
          {{"pattern", "matrix"}, {"matrix", matrix.path()}, {"load", load}, {"packet_length", 2}}),
      grid, 1);
}

std::string refusal(const std::string& file, double load = 0) {
  const Grid grid = mesh({3});
  return complaint([&] { traffic(file, grid, load); });
}

/// By source and destination: the flits per cycle that it sends.
using Rates = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

Rates rates_of(RandomTraffic& source, std::size_t nodes, std::uint64_t cycles) {
  Rates rates;
  for (const Delivery& delivery : play(
           source, nodes, [](const Packet&) { return 1; }, Cycle{cycles})) {
    const Packet& packet = delivery.packet;
    rates[{index(packet.source), index(packet.destination)}] +=
        packet.length / static_cast<double>(cycles);
  }
  return rates;
}

constexpr std::uint64_t kCycles = 100'000;

/// Five standard deviations of a rate, of a packet of two flits per cycle with a probability.
double chance(double rate) { return 5 * std::sqrt(rate / 2 / kCycles) * 2; }

constexpr const char* kSparse =
    "# Flits per cycle.\nsource,destination,rate\n2, 0, 0.4\n\n0,2,0.3\n0,1,0.1\n";
constexpr const char* kDense = "0,0.1,0.3\n0,0,0\n0.4,0,0\n";

}  // namespace

TEST_CASE("every flow of a matrix has its rate, and no other is there", "[traffic]") {
  const std::string file = GENERATE(kSparse, kDense);
  const Grid grid = mesh({3});
  const auto source = traffic(file, grid);
  CHECK(source->load().mean_rate() == Approx(0.8 / 3));
  const Rates rates = rates_of(*source, 3, kCycles);
  REQUIRE(rates.size() == 3);
  CHECK(std::abs(rates.at({0, 1}) - 0.1) < chance(0.1));
  CHECK(std::abs(rates.at({0, 2}) - 0.3) < chance(0.3));
  CHECK(std::abs(rates.at({2, 0}) - 0.4) < chance(0.4));
}

TEST_CASE("a load scales the rates of a matrix to this mean", "[traffic]") {
  const Grid grid = mesh({3});
  const auto source = traffic("source,destination,rate\n0,1,1\n0,2,3\n2,0,4\n", grid, 0.1);
  CHECK(source->load().mean_rate() == Approx(0.1));
  CHECK(source->load().rate(NodeId{0}) == Approx(0.15));
  CHECK(source->load().rate(NodeId{1}) == 0);
  CHECK(source->load().rate(NodeId{2}) == Approx(0.15));
}

TEST_CASE("the shares of a matrix are its rates over the mean of all nodes", "[traffic]") {
  const Grid grid = mesh({3});
  const auto source = traffic(kDense, grid);
  const double mean = 0.8 / 3;
  CHECK(*source->share(NodeId{0}, NodeId{1}) == Approx(0.1 / mean));
  CHECK(*source->share(NodeId{2}, NodeId{0}) == Approx(0.4 / mean));
  CHECK(*source->share(NodeId{0}, NodeId{0}) == 0);
  CHECK(*source->share(NodeId{1}, NodeId{1}) == 0);
}

TEST_CASE("a matrix of equal rates has the shares of uniform traffic without the source",
          "[traffic]") {
  std::string file = "source,destination,rate\n";
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from != to) file += fmt::format("{},{},0.1\n", from, to);
    }
  }
  const Grid grid = mesh({4});
  const auto source = traffic(file, grid);
  const Uniform uniform(4, false);
  CHECK(source->load().mean_rate() == Approx(0.3));
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint32_t to = 0; to < 4; ++to) {
      CHECK(*source->share(NodeId{from}, NodeId{to}) ==
            Approx(*uniform.share(NodeId{from}, NodeId{to})));
    }
  }
}

TEST_CASE("a list of loads gives every node its own", "[traffic]") {
  const Grid grid = mesh({3});
  const auto source = make_traffic(
      workload(traffic_params(), {{"load", {0.3, 0.0, 0.1}}, {"packet_length", 2}}), grid, 1);
  Rates by_source;
  for (const auto& [flow, rate] : rates_of(*source, 3, kCycles)) by_source[{flow.first, 0}] += rate;
  REQUIRE(by_source.size() == 2);
  CHECK(std::abs(by_source.at({0, 0}) - 0.3) < chance(0.3));
  CHECK(std::abs(by_source.at({2, 0}) - 0.1) < chance(0.1));
  CHECK(source->load().mean_rate() == Approx(0.4 / 3));
  CHECK(*source->share(NodeId{0}, NodeId{1}) == Approx(0.3 / 0.4));
  CHECK_THAT(complaint([&] {
               make_traffic(workload(traffic_params(), {{"load", {1, 2}}}), grid, 1);
             }),
             Catch::Contains("workload.load: 2 loads for 3 nodes"));
}

TEST_CASE("equal loads of a list are the single load", "[traffic]") {
  const Grid grid = mesh({3});
  const auto fold = [&](const nlohmann::json& load) {
    const auto source = make_traffic(workload(traffic_params(), {{"load", load}}), grid, 1);
    std::uint64_t sum = 0;
    for (const Delivery& delivery : play(
             *source, 3, [](const Packet&) { return 1; }, Cycle{500})) {
      sum = sum * 31 + index(delivery.packet.created) * 3 + index(delivery.packet.destination);
    }
    return sum;
  };
  CHECK(fold(0.2) == fold({0.2, 0.2, 0.2}));
  CHECK(fold(0.2) != fold({0.2, 0.3, 0.2}));
}

TEST_CASE("faults of a matrix are named with their lines, all of them", "[traffic]") {
  const std::string error = refusal(
      "source,destination,rate\n0,1,-0.1\n0,3,0.1\nx,1,0.1\n0,1\n1,1,0.1\n0,1,nan\n0,2,0.1\n"
      "0,2,0.2\n2,0,0.1,9\n1,0,1e999\n");
  CHECK_THAT(error, Catch::Contains(":2:5: \"-0.1\" is no rate; write flits per cycle, 0 or more"));
  CHECK_THAT(error, Catch::Contains(":3:3: \"3\" is no node of mesh 3; use 0 to 2"));
  CHECK_THAT(error, Catch::Contains(":4:1: \"x\" is no node"));
  CHECK_THAT(error, Catch::Contains(":5:1: 2 fields under 3 columns"));
  CHECK_THAT(error, Catch::Contains(":6:5: node 1 would send to itself; write 0"));
  CHECK_THAT(error, Catch::Contains(":7:5: \"nan\" is no rate"));
  CHECK_THAT(error, Catch::Contains(":9:1: the rate from 0 to 2 is in line 8, too"));
  CHECK_THAT(error, Catch::Contains(":10:1: 4 fields under 3 columns"));
  CHECK_THAT(error, Catch::Contains(":11:5: \"1e999\" is no rate"));
}

TEST_CASE("a dense matrix has a row and a column for every node", "[traffic]") {
  CHECK_THAT(refusal("0,1,0\n0,0\n1,0,0\n"), Catch::Contains(":2:1: 2 rates for the 3 nodes"));
  CHECK_THAT(refusal("0,1,0\n0,0,0\n"), Catch::Contains("2 rows for the 3 nodes of mesh 3"));
  CHECK_THAT(refusal("0,1,0\n0,0,1\n1,0,0\n0,0,0\n"), Catch::Contains("4 rows for the 3 nodes"));
  CHECK_THAT(refusal(""), Catch::Contains("has no rates"));
  CHECK_THAT(refusal("0,0,0\n0,0,0\n0,0,0\n"), Catch::Contains("all rates are zero"));
}

TEST_CASE("a node sends at most one flit per cycle, unless a load scales the rates", "[traffic]") {
  const std::string file = "0,0.6,0.6\n0,0,0\n1,0,0\n";
  CHECK_THAT(refusal(file),
             Catch::Contains(":1: node 0 sends 1.2 flits per cycle, of which its ports carry 1"));
  CHECK(refusal(file, 0.5).empty());
}
